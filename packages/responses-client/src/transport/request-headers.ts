import type { Call } from "./call.ts";

/** Who the harness says it is. */
export interface Identity {
  readonly userAgent: string;
  readonly originator: string;
}

export interface HeaderSources {
  readonly identity: Identity;
  /** Which thread it belongs to. */
  readonly thread: Readonly<Record<string, string>>;
  /** From the config of the provider. */
  readonly configured: Readonly<Record<string, string>>;
  readonly authorization: Readonly<Record<string, string>>;
}

/** The headers of a call, names in lower case. Config wins over identity; what the body is and the credential over both. */
export function toRequestHeaders(
  call: Call,
  { identity, thread, configured, authorization }: HeaderSources,
): Record<string, string> {
  const identified = { "user-agent": identity.userAgent, originator: identity.originator };
  const content = call.body === null ? {} : describeContent(call.body);
  return Object.fromEntries(
    [identified, thread, configured, { accept: call.accept }, content, authorization].flatMap((headers) =>
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  );
}

function describeContent(body: readonly Uint8Array[]): Readonly<Record<string, string>> {
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0);
  return { "content-type": "application/json", "content-length": String(length) };
}
