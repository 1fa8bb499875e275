import type { PromptTool } from "../prompt-tool.ts";
import { fitToTools } from "./fit-to-tools.ts";
import { instructions as forAll } from "./texts/default.ts";
import { instructions as forGpt5Codex } from "./texts/gpt-5-codex.ts";
import { instructions as forGpt5 } from "./texts/gpt-5.ts";
import { instructions as forGptOss } from "./texts/gpt-oss.ts";
import { instructions as forDemo } from "./texts/unroll-demo.ts";

/** The base instructions of the model families that have their own, and `default` for all others. */
const texts: ReadonlyMap<string, string> = new Map([
  ["default", forAll],
  ["gpt-5-codex", forGpt5Codex],
  ["gpt-5", forGpt5],
  ["gpt-oss", forGptOss],
  ["unroll-demo", forDemo],
]);

/** The families that `findBuiltInInstructions` knows. */
export const familiesWithInstructions: readonly string[] = [...texts.keys()];

/** The base instructions of this package for a model family (`ModelFamily.id`), adapted to the tools; null where it has none of its own. */
export function findBuiltInInstructions(familyId: string, tools: readonly PromptTool[]): string | null {
  const text = texts.get(familyId);
  return text === undefined ? null : fitToTools(text, tools);
}

/** Those of families that have none of their own. */
export function createDefaultInstructions(tools: readonly PromptTool[]): string {
  return fitToTools(forAll, tools);
}
