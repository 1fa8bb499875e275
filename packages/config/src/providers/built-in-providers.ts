import type { BuiltInProvider } from "./built-in-provider.ts";
import { openai } from "./openai.ts";

export const builtInProviders: readonly BuiltInProvider[] = [openai];
