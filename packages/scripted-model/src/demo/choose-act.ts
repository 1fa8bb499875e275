import type { TurnItem } from "../script/turn.ts";
import { explainDemo } from "./act/explain-demo.ts";
import { fixFailingTest, testCommand } from "./act/fix-failing-test.ts";
import { makePlan } from "./act/make-plan.ts";
import { reviewChanges } from "./act/review-changes.ts";
import { runCommand } from "./act/run-command.ts";
import { showFile } from "./act/show-file.ts";
import { sumUp } from "./act/sum-up.ts";
import { useForeignTool } from "./act/use-foreign-tool.ts";
import { makeSample } from "./make-sample.ts";
import type { Scene } from "./scene.ts";

interface Act {
  /** What a task must look like; its group, if any, is the act's subject. */
  readonly pattern: RegExp;
  readonly play: (scene: Scene, subject: string) => readonly TurnItem[];
}

/** The first that matches plays. */
const acts: readonly Act[] = [
  { pattern: /^run(?::\s*|\s+(?!(?:the|all|my)\s))(\S.*)$/is, play: runCommand },
  { pattern: /^review\b/i, play: reviewChanges },
  { pattern: /\b(?:fix|repair|debug|failing)\b/i, play: fixFailingTest },
  { pattern: /^run\s+(?:the|all|my)\s.*\btests?\b/i, play: (scene) => runCommand(scene, testCommand) },
  {
    pattern: /^(?:show|cat|read|open|print)\s+(?:me\s+)?(?:the\s+)?(?:file\s+)?(\S+|`[^`]+`|"[^"]+")$/i,
    play: showFile,
  },
  { pattern: /\bplan\b(?:\s+(?:for|to|of)\s+(.+))?/is, play: makePlan },
  { pattern: /\bsummar/i, play: sumUp },
];

/** What the demo answers to what the person asked for. */
export function chooseAct(scene: Scene): readonly TurnItem[] {
  const task = scene.task.trim();
  if (scene.tools.foreign && (scene.schema === null || scene.exchanges.length === 0)) {
    return useForeignTool(scene, scene.tools.foreign);
  }
  for (const { pattern, play } of acts) {
    const match = pattern.exec(task);
    if (match) return play(scene, unquote(match[1] ?? "your request"));
  }
  if (scene.schema !== null) return [{ text: JSON.stringify(makeSample(scene.schema)) }];
  return explainDemo();
}

function unquote(subject: string): string {
  return subject.trim().replace(/^(["`])(.*)\1$/s, "$2");
}
