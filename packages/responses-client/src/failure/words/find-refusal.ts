import type { Refusal } from "@unroll/protocol";
import { readContent } from "./read-content.ts";
import { readOverflow } from "./read-overflow.ts";
import { readRoleRule } from "./read-role-rule.ts";
import { readShape } from "./read-shape.ts";
import type { ServerWords } from "./server-words.ts";

/**
 * What a server refused, by whatever it says and with whatever status. A rule about roles is mostly told by a template, and content by its
 * member: the more telling reading goes first. Null: nothing that we know a way around.
 */
export function findRefusal(words: ServerWords): Refusal | null {
  return readOverflow(words) ?? readRoleRule(words) ?? readContent(words) ?? readShape(words);
}
