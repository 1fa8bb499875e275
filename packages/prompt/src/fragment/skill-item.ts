import type { MessageItem } from "@unroll/protocol";
import type { Skill } from "../skill/skill.ts";
import { showPath } from "../text/show-path.ts";
import { tagValue } from "../text/tag.ts";
import { toMessage } from "./fragment.ts";

/** More than a whole SKILL.md that is read to its limit. */
const skillItemMaxBytes = 80 * 1024;

/** The know-how that a mention of `$name` brings in. It follows the user's message. */
export function toSkillItem(skill: Skill, body: string): MessageItem {
  const lines = [tagValue("name", skill.name), tagValue("path", showPath(skill.path)), body];
  return toMessage(
    { name: "skill", role: "user", maxBytes: skillItemMaxBytes },
    { tag: "skill", body: lines.join("\n") },
  ).item;
}
