import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { createHttpTransport, endHttpSession } from "../http/http-transport.ts";
import type { McpTokenStore } from "../oauth/token-store.ts";
import type { McpHttpServerOptions, McpStdioServerOptions } from "../server-options.ts";
import type { ServerProcess } from "../stdio/server-process.ts";
import { createStdioTransport } from "../stdio/stdio-transport.ts";
import { createAsking } from "./asking.ts";
import { type ClientOptions, createClient } from "./create-client.ts";
import { createPendingAnswers, type PendingAnswers } from "./pending-answers.ts";
import { ServerFault } from "./server-fault.ts";
import type { Session } from "./session.ts";
import { createSessionRequests } from "./session-requests.ts";
import type { Silence } from "./silence.ts";
import { toServerFault } from "./to-server-fault.ts";
import { LONGEST_TIMER_MS } from "./with-deadline.ts";

/** How the server is reached: by its process, or by its address. */
export type ServerLink =
  | { readonly type: "stdio"; readonly server: McpStdioServerOptions; readonly process: ServerProcess }
  | { readonly type: "http"; readonly server: McpHttpServerOptions };

export interface SessionOptions extends Omit<ClientOptions, "server"> {
  readonly maxMessageBytes: number;
  readonly tokens: McpTokenStore;
  /** Takes a line that the server wrote to stdout and that is no message. */
  readonly log: (line: string) => Promise<void>;
  readonly silence: Silence;
  readonly onToolsChanged: () => void;
  /** Called when the server ended by itself: `exit code 1`. */
  readonly onEnded: (how: string) => void;
}

/** Greets a server. Throws `ServerFault`; nothing of the session or the process is left then. */
export async function openSession(link: ServerLink, options: SessionOptions, signal: AbortSignal): Promise<Session> {
  const pending = createPendingAnswers(() => options.silence.addStray());
  const asking = createAsking(options.elicit);
  const client = createClient({ ...options, server: link.server.id, elicit: asking.elicit });
  const { transport, sayGoodbye } = createTransport(link, { ...options, pending });
  let isClosing = false;
  client.onclose = () => {
    if (!isClosing && link.type === "stdio") void link.process.exited.then(options.onEnded);
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, options.onToolsChanged);

  async function close(): Promise<void> {
    isClosing = true;
    await sayGoodbye();
    await transport.close();
  }

  /** A process that is dead for us is made to end, so this does not wait long. */
  async function explainEnd(fault: ServerFault): Promise<ServerFault> {
    if (fault.code !== "server_died" || link.type !== "stdio") return fault;
    return new ServerFault("server_died", `${fault.message} (${await link.process.exited})`, { cause: fault });
  }

  try {
    await client.connect(transport, { signal, timeout: LONGEST_TIMER_MS });
  } catch (error) {
    await close();
    throw await explainEnd(toServerFault(error));
  }
  const requests = createSessionRequests(client, explainEnd);
  return {
    ...requests,
    callTool: (call, context) => asking.during(() => requests.callTool(call, context)),
    isAsking: asking.isAsking,
    close,
  };
}

/** How much of a line that is no message is logged. */
const MAX_GARBAGE_LENGTH = 2_000;

interface OpenTransport {
  readonly transport: Transport;
  /** Ends what the server keeps for us. Never throws. */
  readonly sayGoodbye: () => Promise<void>;
}

type TransportOptions = SessionOptions & { readonly pending: PendingAnswers };

function createTransport(link: ServerLink, options: TransportOptions): OpenTransport {
  const { silence, log, maxMessageBytes } = options;
  switch (link.type) {
    case "stdio": {
      const onGarbage = (line: string): Promise<void> => {
        silence.addGarbage(line);
        return log(`[stdout] ${line.slice(0, MAX_GARBAGE_LENGTH)}`);
      };
      const onOversized = (): void => silence.addOversized(maxMessageBytes);
      const transport = createStdioTransport(link.process, { ...options, onGarbage, onOversized });
      return { transport, sayGoodbye: async () => {} };
    }
    case "http": {
      const transport = createHttpTransport(link.server, options);
      return { transport, sayGoodbye: () => endHttpSession(transport) };
    }
  }
}
