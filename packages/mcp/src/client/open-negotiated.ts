import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { ServerFault } from "../fault/server-fault.ts";
import type { ServerLink } from "../transport/open-transport.ts";
import type { Connection } from "./connection.ts";
import type { ClientOptions } from "./create-client.ts";
import { type ConnectionOptions, openConnection } from "./open-connection.ts";

/**
 * Greets a server in the protocol revision that it supports. A service is first asked whether it is
 * stateless (2026-07-28), and greeted as in older revisions if the answer is unusable. A program is
 * greeted at once, because some exit at an unexpected question; it is asked only if it rejects the
 * greeting. `openLink` connects to the server once more. Throws `ServerFault`; then nothing is
 * left.
 */
export async function openNegotiated(
  openLink: () => Promise<ServerLink>,
  options: Omit<ConnectionOptions, "negotiation">,
  signal: AbortSignal,
): Promise<Connection> {
  const link = await openLink();
  const [first, second, isMeantOtherwise] = ways[link.type];
  try {
    return await openConnection(link, { ...options, negotiation: first }, signal);
  } catch (error) {
    if (!(error instanceof ServerFault) || !isMeantOtherwise(error)) throw error;
    return openConnection(await openLink(), { ...options, negotiation: second }, signal);
  }
}

type Negotiation = ClientOptions["negotiation"];
type Way = readonly [first: Negotiation, second: Negotiation, isMeantOtherwise: (fault: ServerFault) => boolean];

const ways: Readonly<Record<ServerLink["type"], Way>> = {
  http: ["auto", "legacy", isQuestionUnknown],
  stdio: ["legacy", "auto", isGreetingUnknown],
};

const uselessAnswers: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.EraNegotiationFailed,
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.ClientHttpForbidden,
]);

function isQuestionUnknown({ cause }: ServerFault): boolean {
  return cause instanceof SdkError && uselessAnswers.has(cause.code);
}

function isGreetingUnknown({ cause }: ServerFault): boolean {
  if (!(cause instanceof ProtocolError)) return false;
  return [ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.UnsupportedProtocolVersion].includes(cause.code);
}
