import { azure } from "./azure.ts";
import type { BuiltInProvider } from "./built-in-provider.ts";
import { lmstudio } from "./lmstudio.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";

export const builtInProviders: readonly BuiltInProvider[] = [openai, azure, ollama, lmstudio];

/** Null for a provider of the user's own. */
export function findBuiltInProvider(id: string): BuiltInProvider | null {
  return builtInProviders.find((provider) => provider.id === id) ?? null;
}
