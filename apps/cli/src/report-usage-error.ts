import type { ProcessIo } from "@unroll/program";
import { noTokenUsage, type ThreadEvent } from "@unroll/protocol";

const jsonFlags = new Set(["--json", "--experimental-json"]);

/** A program that reads `exec --json` gets its one terminal event also where the command line itself is wrong. */
export function reportUsageError(args: readonly string[], message: string, io: ProcessIo): void {
  if (!["exec", "e"].includes(args[0] ?? "") || !args.some((arg) => jsonFlags.has(arg.split("=")[0] ?? ""))) return;
  const event: ThreadEvent = { type: "turn.failed", error: { code: "usage", message }, usage: noTokenUsage };
  io.stdout.stream.write(`${JSON.stringify(event)}\n`);
}
