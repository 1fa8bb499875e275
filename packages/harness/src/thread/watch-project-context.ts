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

/** What people wrote down for the model (instructions, AGENTS.md, skills), and what it was told of that. */
export interface ProjectContextWatch {
  /** That a message can mention. */
  readonly skills: readonly Skill[];
  /** Looks at the files anew; between turns. Returns what a person is to be warned of that they were not before. */
  refresh(): Promise<readonly string[]>;
  /** Takes out the messages that tell the model what is another than what it was told; none where nothing is. */
  takeChanges(): readonly MessageItem[];
}

const parts = ["developerInstructions", "documents", "skills"] as const;

/** `first`: as of the opening of the thread. What was told is kept in the notes, also over a resume. */
export function watchProjectContext(
  { shared, settings, state: { notes }, secrets, promptFiles }: ThreadBase,
  first: ProjectContext,
  context: () => PromptContext,
): ProjectContextWatch {
  let current = first;
  const warned = new Set(first.warnings);
  /** What was read when the thread was opened is as good as new for its first turn. */
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
