import type { FileSearch } from "../file/file-search.ts";
import { readText, type TextRead } from "../file/read-text.ts";
import { type Skill, skillFileMaxBytes } from "./skill.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

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
