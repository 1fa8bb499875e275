import { createHash } from "node:crypto";
import {
  type ContextTexts,
  type ProjectContext,
  type PromptContext,
  PromptError,
  readProjectContext,
  renderContextChange,
  type Skill,
} from "@unroll/prompt";
import type { MessageItem, SentContext } from "@unroll/protocol";
import { maskStrings } from "@unroll/tools";
import type { ThreadBase } from "../base/thread-base.ts";

/** The user's texts for the model (instructions, AGENTS.md, skills), and what it knows of them. */
export interface ProjectContextWatch {
  /** That a message can mention. */
  readonly skills: readonly Skill[];
  /** Reads the files again; between turns. Returns new warnings for the user. */
  refresh(): Promise<readonly string[]>;
  /** Returns the messages about changes that the model does not know yet. */
  takeChanges(): readonly MessageItem[];
}

const parts = ["developerInstructions", "documents", "skills"] as const;

/**
 * `first`: the state when the thread was opened. The notes remember what the model knows, also over
 * a resume.
 */
export function watchProjectContext(
  { shared, settings, state: { notes }, secrets, promptFiles }: ThreadBase,
  first: ProjectContext,
  context: () => PromptContext,
): ProjectContextWatch {
  let current = first;
  const warned = new Set(first.warnings);
  /** The files read when the thread was opened are fresh enough for its first turn. */
  let isFresh = true;

  return {
    get skills() {
      return current.skills;
    },
    async refresh() {
      if (isFresh) {
        isFresh = false;
        return [];
      }
      try {
        // all else that it is read by is the same in all threads of a harness
        current = await shared.standing(settings.config, () => readProjectContext(context(), promptFiles));
      } catch (error) {
        if (!(error instanceof PromptError)) throw error;
        return warnOnce([`${error.message} What was read before counts until then.`], warned);
      }
      return warnOnce(current.warnings, warned);
    },
    takeChanges() {
      const now = toHashes(current.told);
      const told = notes.get("toldFiles");
      const changed = new Set(told === null ? [] : parts.filter((part) => told[part] !== now[part]));
      if (told !== null && changed.size === 0) return [];
      notes.set("toldFiles", now);
      const messages = renderContextChange(current.told, { cwd: settings.config.cwd, changed });
      return secrets ? maskStrings(messages, secrets.mask) : messages;
    },
  };
}

function warnOnce(warnings: readonly string[], warned: Set<string>): readonly string[] {
  const fresh = warnings.filter((warning) => !warned.has(warning));
  for (const warning of fresh) warned.add(warning);
  return fresh;
}

function toHashes({ developerInstructions, documents, skills }: ContextTexts): SentContext {
  return {
    developerInstructions: toHash(developerInstructions),
    documents: toHash(documents),
    skills: toHash(skills),
  };
}

function toHash(text: string): string {
  return text === "" ? "" : createHash("sha256").update(text).digest("hex");
}
