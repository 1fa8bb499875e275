import type { GatedTool } from "@unroll/tools";
import { type Judgement, type JudgePlace, runInside } from "./judgement.ts";

/** A tool of the program does what its own `approval` says. */
export function judgeToolCall({ tool, arguments: input, approval }: GatedTool, place: JudgePlace): Judgement {
  if (approval === "run") return runInside;
  const asker = { askedBy: `tool ${tool}`, reason: `The tool ${tool} asks before it runs.` };
  return {
    type: "ask",
    question: { type: "tool.approval", ...place, ...asker, server: null, tool, arguments: input, isKeepable: true },
    verdict: runInside,
    kept: [["tool", tool]],
  };
}
