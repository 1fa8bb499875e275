import type { ProcessIo } from "@unroll/program";
import type { ClientConnection } from "../client/client-connection.ts";
import type { ClientToken } from "./client-token.ts";

/** How long a client may take nothing while others wait, in ms. */
export const patienceMs = 10_000;

/** Options of a server that listens. */
export interface Listening {
  /** Serves one client to the end of its input; it never rejects. */
  readonly serve: (link: ClientConnection) => Promise<void>;
  readonly io: ProcessIo;
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
  /** As the flags say; null: they say nothing. */
  readonly token: ClientToken | null;
  /** The name of the variable that holds the token of a WebSocket if flags say nothing; without it, one is made. */
  readonly tokenVariable: string;
}
