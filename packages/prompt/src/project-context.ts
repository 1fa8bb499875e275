import { checkShape } from "@unroll/text";
import { type AgentsDocuments, findAgentsDocuments, renderAgentsDocuments } from "./agents-documents.ts";
import type { FileSearch, PromptFiles } from "./prompt-files.ts";
import { foldersDownTo } from "./file/path.ts";
import type { ContextTexts, ProjectContext } from "./initial-prompt.ts";
import type { PromptContext, SkillContext } from "./prompt-context.ts";
import { findSkills, surveySkillFolders } from "./skill/find-skills.ts";
import type { Skill, SkillSurvey } from "./skill/skill.ts";
import { listLines, showPath } from "./text/bounded-text.ts";

/** The texts that people wrote for agents, as they were found. */
interface ProjectContextFacts {
  readonly documents: AgentsDocuments;
  readonly skills: readonly Skill[];
  readonly told: ContextTexts;
}

/**
 * Reads the current AGENTS.md files and skills for a resumed thread: `renderContextChange` reports the differences.
 *
 * @throws {PromptError} for an AGENTS.md that is there and cannot be read.
 */
export async function readProjectContext(context: PromptContext, files: PromptFiles): Promise<ProjectContext> {
  checkContext("readProjectContext", context, files);
  const warnings: string[] = [];
  const { told, skills } = await findProjectContext({ files, warn: (warning) => warnings.push(warning) }, context);
  return { told, skills, warnings };
}

export async function findProjectContext(search: FileSearch, context: PromptContext): Promise<ProjectContextFacts> {
  const folders = foldersDownTo(context.cwd, context.projectRoot);
  const documents = await findAgentsDocuments(search, context, folders);
  const skills = await findSkills(search, context, folders);
  const told = {
    developerInstructions: context.developerInstructions?.trim() ?? "",
    documents: renderAgentsDocuments(documents),
    skills: context.skillPolicy.isListed ? renderSkillList(skills) : "",
  };
  return { documents, skills, told };
}

const shape = {
  "context.cwd": "text",
  "context.codexHome": "text",
  "context.homeDirectory": "text",
  "context.skillPolicy": "an object",
  "files.read": "a function",
  "files.list": "a function",
} as const;

/** Where the prompt's files are looked for, and by what, of a caller whose compiler did not look. Throws a `TypeError` of one sentence. */
export function checkContext(call: string, context: unknown, files: unknown): void {
  checkShape(call, { context, files }, shape);
}

/** Looks at all skills that a thread in this context would have, and at what is wrong with any. */
export async function surveySkills(
  context: SkillContext,
  files: PromptFiles,
): Promise<SkillSurvey & { readonly warnings: readonly string[] }> {
  checkContext("surveySkills", context, files);
  const warnings: string[] = [];
  const search: FileSearch = { files, warn: (warning) => warnings.push(warning) };
  const survey = await surveySkillFolders(search, context, foldersDownTo(context.cwd, context.projectRoot));
  return { ...survey, warnings };
}

/** All lines of the list together. */
const listMaxBytes = 16 * 1024;

const preamble = `## Skills
A skill is a folder with a SKILL.md: know-how for one kind of task, often with scripts and templates beside it. There are:`;

const usage = `A skill applies when its description matches what you are about to do, or when the user writes \`$name\`. Read its SKILL.md before you begin, unless a \`<skill>\` message has brought you the text, and follow it where it does not go against the user or an AGENTS.md. Paths in it start from its folder. A skill that turns out not to fit, or has files missing, is no obstacle: say so and work without it.`;

/** The section on skills; empty when there are none. */
function renderSkillList(skills: readonly Skill[]): string {
  if (skills.length === 0) return "";
  const lines = skills.map(({ name, description, path }) => `- ${name}: ${description} (file: ${showPath(path)})`);
  return [preamble, listLines(lines, listMaxBytes), usage].join("\n");
}
