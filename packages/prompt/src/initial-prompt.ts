import type { MessageItem } from "@unroll/protocol";
import type { Skill } from "./skill/skill.ts";

/** The prompt of a new thread, and its sources. */
export interface InitialPrompt {
  /** The request's `instructions`. */
  readonly instructions: string;
  /** The first items of the request's `input`. */
  readonly items: readonly MessageItem[];
  /** The files whose text is in the prompt, or would be if the budget were larger; in order of appearance. */
  readonly sources: readonly PromptSource[];
  /** For the person: what was skipped, cut or not understood; each names the file and what to do. */
  readonly warnings: readonly string[];
  /** The texts from files and the configuration, kept apart so that a later change can be found. */
  readonly told: ContextTexts;
  /** The skills that a message can mention, by name in code-unit order. */
  readonly skills: readonly Skill[];
}

/** Texts that people wrote for the model; each is empty if there is none. */
export interface ContextTexts {
  readonly developerInstructions: string;
  /** The text of the AGENTS.md files. */
  readonly documents: string;
  /** The list of skills. */
  readonly skills: string;
}

/** The same as `InitialPrompt` has, as the files are now. */
export type ProjectContext = Pick<InitialPrompt, "told" | "skills" | "warnings">;

/** A file that is in the prompt. */
export interface PromptSource {
  /** `global_doc`: AGENTS.md of `$CODEX_HOME`; `project_doc`: one of the project. */
  readonly kind: "instructions" | "global_doc" | "project_doc";
  readonly path: string;
  /** How many bytes of the file are in the prompt. */
  readonly bytes: number;
  /** Whether that is less than the whole file. */
  readonly truncated: boolean;
}
