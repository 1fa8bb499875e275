import { countBytes, takeStart } from "@unroll/text";
import * as z from "zod";
import type { FileFault, TextPlace } from "../file/file-fault.ts";
import { type BrokenText, type FrontMatter, readFrontMatter, toBroken } from "../file/read-front-matter.ts";
import { type Skill, skillNamePattern } from "./skill.ts";

const descriptionMaxBytes = 1024;

interface SkillParse {
  /** Null: the fault says why. */
  readonly skill: Skill | null;
  readonly fault: FileFault | null;
}

/** Fields beyond these belong to other programs and are let be. */
const frontMatterSchema = z.looseObject(
  {
    name: textField().regex(
      new RegExp(`^(?=.{1,64}$)${skillNamePattern}$`, "u"),
      "must be 1 to 64 letters, digits, `_` or `-`, with `.` or `:` only in between",
    ),
    description: textField().regex(/\S/u, "must say in a sentence when to use the skill"),
  },
  "must be lines of `key: value`",
);

/**
 * Reads the front matter of a SKILL.md. A description is put on one line and cut to its limit, which is a fault, too.
 */
export function parseSkill(path: string, text: string): SkillParse {
  const parsed = parseHeader(text);
  if (parsed.type === "broken") return { skill: null, fault: toFault(path, parsed, "skipped") };
  const { name, description, place } = parsed;
  const line = description.replace(/\s+/gu, " ").trim();
  const skill = { name, description: takeStart(line, descriptionMaxBytes), path };
  const bytes = countBytes(line);
  if (bytes <= descriptionMaxBytes) return { skill, fault: null };
  const problem = `\`description\` has ${bytes} bytes, and only the first ${descriptionMaxBytes} are used: shorten it`;
  return { skill, fault: toFault(path, { ...place, problem }, "used") };
}

interface ParsedHeader {
  readonly type: "parsed";
  readonly name: string;
  readonly description: string;
  /** The place of the description. */
  readonly place: TextPlace;
}

function parseHeader(text: string): ParsedHeader | BrokenText {
  const header = readFrontMatter(text);
  if (header.type === "broken") return header;
  const parsed = frontMatterSchema.safeParse(header.value);
  if (!parsed.success) return describeIssue(header, parsed.error);
  return { type: "parsed", ...parsed.data, place: header.placeOf("description") };
}

function toFault(
  path: string,
  { line, column, problem }: Omit<BrokenText, "type">,
  fate: "skipped" | "used",
): FileFault {
  return { path, place: { line, column }, problem, isSkipped: fate === "skipped" };
}

function textField(): z.ZodString {
  return z.string({ error: (issue) => (issue.input === undefined ? "is missing" : "must be text") });
}

function describeIssue(header: FrontMatter, error: z.ZodError): BrokenText {
  const [issue] = error.issues;
  const key = issue?.path[0]?.toString();
  if (key === undefined) return toBroken(`the front matter ${issue?.message ?? "is not understood"}`);
  return toBroken(`\`${key}\` ${issue?.message}`, header.placeOf(key));
}
