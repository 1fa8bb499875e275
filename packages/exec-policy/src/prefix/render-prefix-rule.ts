import { checkShape } from "@unroll/text";

/**
 * The text of a rule that allows a prefix, on one line without its end; `prefix` has at least one word. `env`: the names of
 * the variables that the commands may be given. For a permission that ends with the thread, parse it under a name that says
 * so and merge it with the other rules.
 */
export function renderPrefixRule(prefix: readonly string[], env: readonly string[] = []): string {
  checkShape("renderPrefixRule", { prefix, env }, { prefix: "a list", env: "a list" });
  const variables = env.length === 0 ? "" : `, env=${renderList(env)}`;
  return `prefix_rule(pattern=${renderList(prefix)}, decision="allow"${variables})`;
}

function renderList(texts: readonly string[]): string {
  return `[${texts.map(renderString).join(", ")}]`;
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function renderString(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is escaped
  const body = text.replaceAll(/[\\"\u0000-\u001F\u007F]/g, (character) => {
    return escapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `"${body}"`;
}

/**
 * The text of a rules file with a rule at its end; everything before stays as it is, byte for byte. A rule that is
 * already there on a line of its own is not added again. Line ends are those of the file.
 */
export function appendRule(text: string, rule: string): string {
  checkShape("appendRule", { text, rule }, { text: "text", rule: "text" });
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  if (text.split(/\r?\n/).includes(rule)) return text;
  const separator = text === "" || /[\r\n]$/.test(text) ? "" : lineEnd;
  return `${text}${separator}${rule}${lineEnd}`;
}
