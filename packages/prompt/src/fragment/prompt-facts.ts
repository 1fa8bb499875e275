import type { AgentsDocuments } from "../document/agents-document.ts";
import type { PromptContext } from "../prompt-context.ts";
import type { Skill } from "../skill/skill.ts";

/** All that the fragments of a new thread are made from: the context, and what was found in files. */
export interface PromptFacts extends PromptContext {
  readonly documents: AgentsDocuments;
  readonly skills: readonly Skill[];
}
