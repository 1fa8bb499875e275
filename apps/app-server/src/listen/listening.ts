import type { ProcessIo } from "@unroll/program";
import type { Service } from "../wire/serve-client.ts";

/** What a server that listens needs. */
export interface Listening {
  readonly service: Service;
  readonly io: ProcessIo;
  /** Aborts when it is to end. */
  readonly signal: AbortSignal;
}
