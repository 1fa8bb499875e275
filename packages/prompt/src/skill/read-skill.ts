import type { FileSearch } from "../file/file-search.ts";
import { readText } from "../file/read-text.ts";
import { type Skill, skillFileMaxBytes } from "./skill.ts";
import type { SkillFault } from "./skill-survey.ts";

export interface SkillRead {
  /** Null: it is gone, or there is a fault that says why. */
  readonly skill: Skill | null;
  readonly faults: readonly SkillFault[];
}

/** Reads the front matter of a SKILL.md, and looks at the size of its text. */
export async function readSkill(search: FileSearch, path: string): Promise<SkillRead> {
  const read = await readText(search.files, path, skillFileMaxBytes);
  switch (read.type) {
    case "missing":
      return { skill: null, faults: [] };
    case "unreadable":
      return toSkipped(path, `it cannot be read: ${read.reason}`);
    case "unusable":
      return toSkipped(path, `it ${read.reason}`);
    case "text": {
      const { parseSkill } = await import("./parse-skill.ts"); // with YAML and zod: only where there are skills
      const { skill, fault } = parseSkill(path, read.text);
      const isLong = read.bytes < read.size;
      return { skill, faults: [...(fault === null ? [] : [fault]), ...(isLong ? [toLongFile(path, read)] : [])] };
    }
  }
}

function toSkipped(path: string, problem: string): SkillRead {
  return { skill: null, faults: [{ path, place: null, problem, isSkipped: true }] };
}

function toLongFile(path: string, { bytes, size }: { readonly bytes: number; readonly size: number }): SkillFault {
  const problem = `only the first ${bytes} of ${size} bytes are used: move details to files beside it`;
  return { path, place: null, problem, isSkipped: false };
}
