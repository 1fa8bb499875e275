import type { TurnItem } from "../../script/turn.ts";
import { quoteOutput } from "../quote-output.ts";
import type { ForeignTool } from "../demo-tools.ts";
import { makeSample } from "../make-sample.ts";
import type { Scene } from "../scene.ts";

/** Calls a tool that a program brought, with made-up arguments of the right shape, and tells what came of it. */
export function useForeignTool({ exchanges }: Scene, { name, parameters }: ForeignTool): readonly TurnItem[] {
  const used = exchanges.findLast(({ tool }) => tool === name);
  if (!used) return [{ call: name, arguments: makeSample(parameters) }];
  return [{ text: `I called \`${name}\` with made-up arguments, and it gave back:\n\n${quoteOutput(used.output)}` }];
}
