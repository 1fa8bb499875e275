import { longestTimerMs } from "@unroll/flow";
import { ServerFault } from "../fault/server-fault.ts";
import { toServerFault } from "../fault/to-server-fault.ts";
import { openTransport, type ServerLink, type TransportOptions } from "../transport/open-transport.ts";
import { createPendingAnswers } from "../transport/pending-answers.ts";
import { createAsking } from "./asking.ts";
import type { Connection } from "./connection.ts";
import { createConnectionRequests } from "./connection-requests.ts";
import { type ClientOptions, createClient } from "./create-client.ts";
import { followToolList } from "./follow-tool-list.ts";
import { isStateless } from "./is-stateless.ts";

export interface ConnectionOptions
  extends Omit<ClientOptions, "server" | "elicit">, Omit<TransportOptions, "pending" | "signal"> {
  readonly onToolsChanged: () => void;
  /** Called when the server ends by itself: `exit code 1`. */
  readonly onEnded: (how: string) => void;
}

/** Greets a server. Throws `ServerFault`; then nothing of the connection or the process is left. */
export async function openConnection(
  link: ServerLink,
  options: ConnectionOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const pending = createPendingAnswers(() => options.silence.addStray());
  const asking = createAsking();
  const client = createClient({ ...options, server: link.server.id, elicit: asking.elicit });
  const closing = new AbortController();
  const { transport, sayGoodbye } = openTransport(link, { ...options, pending, signal: closing.signal });
  client.onclose = () => {
    if (!closing.signal.aborted && link.type === "stdio") link.process.exited.then(options.onEnded).catch(() => {});
  };
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);

  async function close(): Promise<void> {
    closing.abort();
    await sayGoodbye();
    await transport.close();
  }

  /** A process that is useless to us is made to end, so this does not wait long. */
  async function explainEnd(fault: ServerFault): Promise<ServerFault> {
    if (fault.code !== "server_died" || link.type !== "stdio") return fault;
    return new ServerFault("server_died", `${fault.message} (${await link.process.exited})`, { cause: fault });
  }

  const giveUp = (): void => void transport.close(); // the question before the greeting has no signal
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await client.connect(transport, { signal, timeout: longestTimerMs });
  } catch (error) {
    await close();
    throw await explainEnd(toServerFault(error));
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
  followToolList(client, { signal: closing.signal, sleep: options.sleep }).catch(() => {});
  const requests = createConnectionRequests({
    client,
    explain: explainEnd,
    isHeaded: link.type === "http" && isStateless(client),
  });
  return {
    ...requests,
    callTool: (call, context) => asking.during(context.elicit, () => requests.callTool(call, context)),
    isAsking: asking.isAsking,
    close,
  };
}
