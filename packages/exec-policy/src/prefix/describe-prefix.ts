import { checkShape } from "@unroll/text";
import { join } from "shlex";
import { baseName } from "../command/program-path.ts";
import { findWidthWarning } from "./find-width-warning.ts";
import { interpreter } from "./prefix-shapes.ts";

/** The meaning of a prefix rule, for the person who is about to write it. */
export interface PrefixDescription {
  /** Other commands that it allows; whole sentences. */
  readonly allows: string;
  /** Why the prefix is too wide; null where it is not. */
  readonly warning: string | null;
}

/**
 * Describes which other commands "always allow" with this prefix lets run. `env`: the variables
 * that the rule names. An empty prefix is not a rule; it is described as one for all commands.
 */
export function describePrefix(prefix: readonly string[], env: readonly string[] = []): PrefixDescription {
  checkShape("describePrefix", { prefix, env }, { prefix: "a list", env: "a list" });
  const variables = env.length === 0 ? "" : `, with any value of ${env.join(", ")},`;
  const start = `Every command that starts with \`${join(prefix)}\`${variables} will run without a question and outside the sandbox, whatever follows.`;
  const note = describeCode(prefix);
  return { allows: note === null ? start : `${start} ${note}`, warning: findWidthWarning(prefix) };
}

function describeCode(prefix: readonly string[]): string | null {
  const [program = "", first = "", second] = prefix;
  const name = baseName(program);
  if (interpreter.test(name) && first === "-m") return "It runs whatever that module does with its arguments.";
  if (interpreter.test(name) && prefix.length > 1) return `It runs whatever ${first} holds at that time.`;
  if (/^(?:npm|pnpm|yarn|bun|make|just|task|rake|cargo|gradle|gradlew|mvn|turbo|nx)$/.test(name)) {
    return "It runs whatever the project's own files hold at that time, also what the model wrote there.";
  }
  if (/^(?:docker|podman)$/.test(name)) return "A container can be given every file of this machine.";
  if (/^(?:i|install|add|ci|update|upgrade)$/.test(second ?? first))
    return "Packages may run code when they are installed.";
  return null;
}
