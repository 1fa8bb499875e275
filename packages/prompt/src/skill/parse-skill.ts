import { takeStart } from "@unroll/text";
import { FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";
import * as z from "zod";
import { type Skill, skillNamePattern } from "./skill.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

const descriptionMaxBytes = 1024;

type SkillParse = { readonly type: "parsed"; readonly skill: Skill } | BrokenSkill;

/** Line and column count from 1; `problem` says what is wrong and how to mend it. */
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
 * put on one line and cut to its limit.
 */
export function parseSkill(path: string, text: string): SkillParse {
  const split = splitFrontMatter(text);
  if (split.type === "no_fence") return broken("the first line must be `---`, then `name:` and `description:` lines");
  if (split.type === "not_closed") return broken("the front matter that begins here must be ended by a line `---`");
  const yaml = loadYaml(split.header);
  if (yaml.type === "broken") return yaml;
  const parsed = frontMatterSchema.safeParse(yaml.value);
  if (!parsed.success) return describeIssue(split.header, parsed.error);
  const { name, description } = parsed.data;
  const line = takeStart(description.replace(/\s+/gu, " ").trim(), descriptionMaxBytes);
  return { type: "parsed", skill: { name, description: line, path } };
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
  const index = header.split("\n").findIndex((line) => line.startsWith(`${key}:`));
  return { type: "broken", line: index < 0 ? 1 : index + 2, column: 1, problem: `\`${key}\` ${issue?.message}` };
}

function broken(problem: string): BrokenSkill {
  return { type: "broken", line: 1, column: 1, problem };
}
