import type { MessageItem } from "@unroll/protocol";
import { type Skill, skillFileMaxBytes, skillNamePattern } from "./skill/skill.ts";
import type { FileSearch } from "./prompt-files.ts";
import { readText, type TextRead } from "./file/read-text.ts";
import { splitFrontMatter } from "./file/split-front-matter.ts";
import { showPath } from "./text/bounded-text.ts";
import { tagValue } from "./text/tag.ts";
import { toMessage } from "./fragment/fragment.ts";

/**
 * The skills that a text mentions as `$name`, each once, in order of first mention. A `$` after a letter, digit, `_`, `$` or
 * `\` is none.
 */
export function findMentions(text: string, skills: readonly Skill[]): readonly Skill[] {
  if (skills.length === 0) return []; // making the pattern takes a millisecond
  const mentions = text.matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}_$\\])\$(${skillNamePattern})`, "gu"));
  const names = new Set(Array.from(mentions, ([, name]) => name));
  return Array.from(names, (name) => skills.find((skill) => skill.name === name)).filter(
    (skill) => skill !== undefined,
  );
}

/** The text of a skill below its front matter; null, with a warning, when the file is gone or cannot be read any more. */
export async function loadSkill(search: FileSearch, skill: Skill): Promise<string | null> {
  const read = await readText(search.files, skill.path, skillFileMaxBytes);
  if (read.type !== "text") {
    search.warn(`The skill $${skill.name} was not loaded: ${skill.path} ${describeFailure(read)}.`);
    return null;
  }
  const split = splitFrontMatter(read.text);
  const body = (split.type === "split" ? split.body : read.text).trim();
  if (read.bytes === read.size) return body;
  search.warn(
    `${skill.path}: only the first ${read.bytes} of ${read.size} bytes are used. Move details to files beside it.`,
  );
  return `${body}\n[Cut here: ${read.bytes} of the file's ${read.size} bytes were read. Read on there if you need the rest.]`;
}

function describeFailure(read: Exclude<TextRead, { type: "text" }>): string {
  switch (read.type) {
    case "missing":
      return "is gone";
    case "unusable":
      return read.reason;
    case "unreadable":
      return `cannot be read: ${read.reason}`;
  }
}

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
