import type { PromptTool } from "../prompt-tool.ts";
import { fitToTools } from "./fit-to-tools.ts";

/** The base instructions of the model families that have their own, and `default` for all others. A text is loaded when it is first read. */
const texts: ReadonlyMap<string, () => Promise<string>> = new Map([
  ["default", async () => (await import("./texts/default.ts")).instructions],
  ["gpt-5-codex", async () => (await import("./texts/gpt-5-codex.ts")).instructions],
  ["gpt-5", async () => (await import("./texts/gpt-5.ts")).instructions],
  ["gpt-oss", async () => (await import("./texts/gpt-oss.ts")).instructions],
  ["unroll-demo", async () => (await import("./texts/unroll-demo.ts")).instructions],
]);

/** The families that `readBuiltInInstructions` knows. */
export const familiesWithInstructions: readonly string[] = [...texts.keys()];

/** The base instructions that this package brings for a model family (`ModelFamily.id`), as they fit the tools; null where it has none of its own. */
export async function readBuiltInInstructions(familyId: string, tools: readonly PromptTool[]): Promise<string | null> {
  const text = await texts.get(familyId)?.();
  return text === undefined ? null : fitToTools(text, tools);
}

/** Those of families that have none of their own. */
export async function readDefaultInstructions(tools: readonly PromptTool[]): Promise<string> {
  return fitToTools((await import("./texts/default.ts")).instructions, tools);
}
