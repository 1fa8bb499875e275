import type { Refusal, RoleRule } from "@unroll/protocol";
import type { ServerWords } from "./server-words.ts";

const rules: readonly { readonly rule: RoleRule; readonly words: RegExp }[] = [
  {
    rule: "alternation",
    words:
      /\broles must (?:strictly )?alternate\b|\balternat\w* (?:between )?user\b|\b(?:consecutive|two) (?:user|assistant) messages\b|\bafter (?:a )?user message[^.]{0,20}\bassistant\b/i,
  },
  {
    rule: "system_first",
    words:
      /\b(?:system|developer) (?:message|role|prompt)s?\b[^.]{0,40}\b(?:beginning|first|start)\b|\bonly (?:one|a single) system message\b|\bmultiple system messages\b/i,
  },
  {
    rule: "unknown_role",
    words:
      /\b(?:unexpected|unknown|unsupported|invalid)\b[^.]{0,20}\brole\b|\b(?:system|developer) role (?:is )?not supported\b|\bonly user(?:, | and )[^.]{0,40}\broles? (?:is|are) supported\b|\bunknown variant [`'"]?developer\b/i,
  },
];

/** Which rule about roles a conversation breaks, by the words of the template or of the server; null: none. */
export function readRoleRule({ status, text }: ServerWords): Extract<Refusal, { readonly type: "roles" }> | null {
  if (status !== null && status !== 400 && status !== 422 && status < 500) return null;
  const found = rules.find(({ words }) => words.test(text));
  return found === undefined ? null : { type: "roles", rule: found.rule };
}
