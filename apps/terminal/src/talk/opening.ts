import type { HostEnvironment } from "@unroll/harness";
import type { ProcessIo, ProgramFlags } from "@unroll/program";
import type { Desk } from "../desk/create-desk.ts";

/** A conversation that is being opened. */
export interface Opening {
  readonly flags: ProgramFlags;
  readonly host: HostEnvironment;
  readonly io: ProcessIo;
  readonly desk: Desk;
  readonly signal: AbortSignal;
}
