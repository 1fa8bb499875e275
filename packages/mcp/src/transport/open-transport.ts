import type { Transport } from "@modelcontextprotocol/client";
import type { Clock } from "@unroll/flow";
import { shortenText } from "@unroll/text";
import type { ProxyEnv } from "../oauth/open-fetch.ts";
import type { McpTokenStore } from "../oauth/token-store.ts";
import type { ResolvedProgram, ResolvedService } from "../settings/resolved-server.ts";
import { createHttpTransport, sayGoodbye } from "./http/http-transport.ts";
import type { PendingAnswers } from "./pending-answers.ts";
import type { Silence } from "./silence.ts";
import type { ServerProcess } from "./stdio/server-process.ts";
import { createStdioTransport } from "./stdio/stdio-transport.ts";

/** How a server is reached: by its process, or by its address. */
export type ServerLink =
  | { readonly type: "stdio"; readonly server: ResolvedProgram; readonly process: ServerProcess }
  | { readonly type: "http"; readonly server: ResolvedService };

export interface TransportOptions extends Pick<Clock, "sleep"> {
  /** Fires when the connection is closed. */
  readonly signal: AbortSignal;
  readonly maxMessageBytes: number;
  readonly tokens: McpTokenStore;
  /** `https_proxy`, `http_proxy` and `no_proxy` are read from it. Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
  /** Receives a line on the server's stdout that is not a message. */
  readonly log: (line: string) => Promise<void>;
  readonly silence: Silence;
  readonly pending: PendingAnswers;
  readonly graces: {
    /** In ms: for the rest of a program's output after its end. */
    readonly drainMs: number;
    /** In ms: for a service's response to our goodbye. */
    readonly goodbyeMs: number;
  };
}

export interface OpenTransport {
  readonly transport: Transport;
  /** Ends the server's state for us. Never throws. */
  readonly sayGoodbye: () => Promise<void>;
}

/** How much of a line that is not a message is logged. */
const maxGarbageLength = 2_000;

export function openTransport(link: ServerLink, options: TransportOptions): OpenTransport {
  const { silence, log, maxMessageBytes, graces } = options;
  switch (link.type) {
    case "stdio": {
      const onGarbage = (line: string): Promise<void> => {
        silence.addGarbage(line);
        return log(`[stdout] ${shortenText(line, maxGarbageLength)}`);
      };
      const onOversized = (): void => silence.addOversized(maxMessageBytes);
      const { drainMs } = graces;
      const transport = createStdioTransport(link.process, { ...options, onGarbage, onOversized, drainMs });
      return { transport, sayGoodbye: async () => {} };
    }
    case "http": {
      const transport = createHttpTransport(link.server, options);
      return { transport, sayGoodbye: () => sayGoodbye(transport, graces.goodbyeMs) };
    }
  }
}
