import type { ProcessIo } from "@unroll/exec";

const jsonFlags = new Set(["--json", "--experimental-json"]);

/** A program that reads `exec --json` gets its one terminal event also where the command line itself is wrong. */
export function reportUsageError(args: readonly string[], message: string, io: ProcessIo): void {
  if (args[0] !== "exec" || !args.some((arg) => jsonFlags.has(arg))) return;
  const usage = {
    input_tokens: 0,
    cached_input_tokens: 0,
    cache_write_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
  };
  io.stdout.stream.write(`${JSON.stringify({ type: "turn.failed", error: { code: "usage", message }, usage })}\n`);
}
