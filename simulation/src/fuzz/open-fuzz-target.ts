import type { FuzzTarget } from "./fuzz-target.ts";
import { openAnswerTarget } from "./target/answer-target.ts";
import { openConfigTarget } from "./target/config-target.ts";
import { openPatchTarget } from "./target/patch-target.ts";
import { openRolloutTarget } from "./target/rollout-target.ts";
import { openRulesTarget } from "./target/rules-target.ts";
import { openSseTarget } from "./target/sse-target.ts";

export const fuzzTargetNames = ["sse", "answer", "patch", "rules", "config", "rollout"] as const;
export type FuzzTargetName = (typeof fuzzTargetNames)[number];

export async function openFuzzTarget(name: FuzzTargetName): Promise<FuzzTarget> {
  switch (name) {
    case "sse":
      return openSseTarget();
    case "answer":
      return openAnswerTarget();
    case "patch":
      return openPatchTarget();
    case "rules":
      return openRulesTarget();
    case "config":
      return openConfigTarget();
    case "rollout":
      return openRolloutTarget();
  }
}
