import { builtinToolNames } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";

/** Throws `HarnessError` `invalid_options` for a name that no built-in tool has, and for `write_stdin` without `exec_command`. */
export function checkBuiltins(call: string, builtins: unknown): void {
  if (builtins === undefined) return;
  const names: readonly unknown[] = Array.isArray(builtins) ? builtins : [builtins];
  const wrong = names.find((name) => !builtinToolNames.some((each) => each === name));
  if (wrong !== undefined) {
    const message = `${call}: builtins: there is no built-in tool ${JSON.stringify(wrong)}: there are ${builtinToolNames.join(", ")}.`;
    throw new HarnessError("invalid_options", message);
  }
  if (names.includes("write_stdin") && !names.includes("exec_command")) {
    const message = `${call}: builtins: write_stdin needs exec_command. Name exec_command, which brings both.`;
    throw new HarnessError("invalid_options", message);
  }
}
