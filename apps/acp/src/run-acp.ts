import type { ProcessIo, ProgramFlags } from "@unroll/program";

/** What the command line of `unroll acp` says, and what the program around it does. */
export interface AcpOptions extends ProgramFlags {
  /** Of our release. */
  readonly version: string;
  /** Opens a page in the person's browser; false: there is none. */
  readonly openPage: (url: string) => Promise<boolean>;
}

/**
 * Serves one editor until it closes stdin, or a signal comes. Returns the exit code: 0 stdin ended, 2 the command line or the
 * config is wrong, 128 + N stopped by signal N. All of it is loaded only now.
 */
export async function runAcp(options: AcpOptions, io: ProcessIo): Promise<number> {
  const { serve } = await import("./serve.ts");
  return serve(options, io);
}
