import { countBytes, takeStart } from "@unroll/text";
import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";
import * as z from "zod";
import { type Skill, type SkillFault, skillNamePattern } from "./skill.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

const descriptionMaxBytes = 1024;

interface SkillParse {
  /** Null: the fault says why. */
  readonly skill: Skill | null;
  readonly fault: SkillFault | null;
}

/** Line and column count from 1; `problem` says what is wrong and how to fix it. */
interface BrokenSkill {
  readonly type: "broken";
  readonly line: number;
  readonly column: number;
  readonly problem: string;
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
 * Reads the front matter of a SKILL.md. Every scalar is text, so that `name: 2024` means what it says. A description is
 * put on one line and cut to its limit, which is a fault, too.
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
  readonly place: { readonly line: number; readonly column: number };
}

function parseHeader(text: string): ParsedHeader | BrokenSkill {
  const split = splitFrontMatter(text);
  if (split.type === "no_fence") return broken("the first line must be `---`, then `name:` and `description:` lines");
  if (split.type === "not_closed") return broken("the front matter that begins here must be ended by a line `---`");
  const yaml = loadYaml(split.header);
  if (yaml.type === "broken") return yaml;
  const parsed = frontMatterSchema.safeParse(yaml.value);
  if (!parsed.success) return describeIssue(split.header, parsed.error);
  const place = { line: findLine(split.header, "description"), column: 1 };
  return { type: "parsed", name: parsed.data.name, description: parsed.data.description, place };
}

function toFault(
  path: string,
  { line, column, problem }: Omit<BrokenSkill, "type">,
  fate: "skipped" | "used",
): SkillFault {
  return { path, place: { line, column }, problem, isSkipped: fate === "skipped" };
}

function textField(): z.ZodString {
  return z.string({ error: (issue) => (issue.input === undefined ? "is missing" : "must be text") });
}

function loadYaml(header: string): { readonly type: "loaded"; readonly value: unknown } | BrokenSkill {
  try {
    return { type: "loaded", value: header.trim() === "" ? {} : load(header, { schema: FAILSAFE_SCHEMA }) };
  } catch (error) {
    // js-yaml asks to catch everything: deep nesting, for one, overflows the stack.
    if (!(error instanceof YAMLException)) return broken("the front matter cannot be read as YAML");
    const { line = 0, column = 0 } = error.mark ?? {};
    const hint = "text that holds `: ` or ` #`, or starts with a special character, needs quotes";
    return { type: "broken", line: line + 2, column: column + 1, problem: `${error.reason} (${hint})` };
  }
}

function describeIssue(header: string, error: z.ZodError): BrokenSkill {
  const [issue] = error.issues;
  const key = issue?.path[0]?.toString();
  if (key === undefined) return broken(`the front matter ${issue?.message ?? "is not understood"}`);
  return { type: "broken", line: findLine(header, key), column: 1, problem: `\`${key}\` ${issue?.message}` };
}

/** In the file; 1 where the key is not there. */
function findLine(header: string, key: string): number {
  const index = header.split("\n").findIndex((line) => line.startsWith(`${key}:`));
  return index < 0 ? 1 : index + 2;
}

function broken(problem: string): BrokenSkill {
  return { type: "broken", line: 1, column: 1, problem };
}
