import { azure } from "./azure.ts";
import type { BuiltInProvider } from "./built-in-provider.ts";
import { llamacpp } from "./llamacpp.ts";
import { lmstudio } from "./lmstudio.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { sglang } from "./sglang.ts";
import { vllm } from "./vllm.ts";

export const builtInProviders: readonly BuiltInProvider[] = [openai, azure, ollama, lmstudio, llamacpp, vllm, sglang];

/** Null for a provider of the user's own. */
export function findBuiltInProvider(id: string): BuiltInProvider | null {
  return builtInProviders.find((provider) => provider.id === id) ?? null;
}
