import { builtinToolNames } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";

/** Throws `HarnessError` `invalid_options` for a name that no built-in tool has, and for `write_stdin` without what it reads on. */
export function checkBuiltins(call: string, builtins: unknown): void {
  if (builtins === undefined) return;
  const names: readonly unknown[] = Array.isArray(builtins) ? builtins : [builtins];
  const wrong = names.find((name) => !builtinToolNames.some((each) => each === name));
  if (wrong !== undefined) {
    const known = builtinToolNames.join(", ");
    throw refuse(`${call}: builtins: there is no built-in tool ${JSON.stringify(wrong)}: there are ${known}.`);
  }
  if (names.includes("write_stdin") && !names.includes("exec_command"))
    throw refuse(`${call}: builtins: write_stdin works on sessions of exec_command: name that one, which brings both.`);
}

function refuse(message: string): HarnessError {
  return new HarnessError("invalid_options", message);
}
