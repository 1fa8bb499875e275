import type { ProcessIo } from "@unroll/program";
import type { ClientConnection } from "../client/client-connection.ts";

/** Options of a server that listens. */
export interface Listening {
  /** Serves one client to the end of its input; it never rejects. */
  readonly serve: (link: ClientConnection) => Promise<void>;
  readonly io: ProcessIo;
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
  /** The name of the variable that holds the token of a WebSocket; without it, one is made. */
  readonly tokenVariable: string;
}
