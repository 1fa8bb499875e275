import { checkContext } from "./check-context.ts";
import type { AgentsDocuments } from "./document/agents-document.ts";
import { findAgentsDocuments } from "./document/find-agents-documents.ts";
import { renderAgentsDocuments } from "./document/render-agents-documents.ts";
import type { FileSearch } from "./file/file-search.ts";
import { foldersDownTo } from "./file/path.ts";
import type { ProjectContext, ContextTexts } from "./initial-prompt.ts";
import type { PromptContext } from "./prompt-context.ts";
import type { PromptFiles } from "./prompt-files.ts";
import { findSkills } from "./skill/find-skills.ts";
import { renderSkillList } from "./skill/render-skill-list.ts";
import type { Skill } from "./skill/skill.ts";

/** What people wrote down for agents, as it was found. */
export interface StandingFacts {
  readonly documents: AgentsDocuments;
  readonly skills: readonly Skill[];
  readonly told: ContextTexts;
}

/**
 * Reads AGENTS.md files and skills as they are now, for a thread that goes on: what differs is told by
 * `renderStandingChange`.
 *
 * @throws {PromptError} for an AGENTS.md that is there and cannot be read.
 */
export async function readProjectContext(context: PromptContext, files: PromptFiles): Promise<ProjectContext> {
  checkContext("readProjectContext", context, files);
  const warnings: string[] = [];
  const { told, skills } = await findStandingFacts({ files, warn: (warning) => warnings.push(warning) }, context);
  return { told, skills, warnings };
}

export async function findStandingFacts(search: FileSearch, context: PromptContext): Promise<StandingFacts> {
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
