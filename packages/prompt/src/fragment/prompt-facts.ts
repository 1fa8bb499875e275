import type { ContextTexts } from "../initial-prompt.ts";
import type { PromptContext } from "../prompt-context.ts";

/** All that the fragments of a new thread are made from: the context, and what was found in files. */
export interface PromptFacts extends PromptContext {
  readonly told: ContextTexts;
}
