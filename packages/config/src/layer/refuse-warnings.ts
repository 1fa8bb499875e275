import { ConfigError } from "../fault/config-error.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";

/** Of what a person wrote and can correct; what is not read, and why, stays a warning. */
const strictCodes: ReadonlySet<string> = new Set([
  "key_unknown",
  "key_deprecated",
  "value_ignored",
  "effort_refused",
  "key_ignored_in_project",
]);

/** What `--strict-config` is for. Throws `ConfigError` (`config_not_strict`) with all that is to be corrected. */
export function refuseWarnings(warnings: readonly ConfigWarning[]): void {
  const [first, ...others] = warnings.filter(({ code }) => strictCodes.has(code));
  if (first === undefined) return;
  const more = others.map(({ message }) => `\n${message}`).join("");
  const file = first.origin?.type === "file" ? first.origin.path : undefined;
  throw new ConfigError({
    code: "config_not_strict",
    message: `--strict-config: ${first.message}${more}`,
    key: first.key,
    file,
  });
}
