import type { TurnItem } from "../script/turn.ts";
import type { DemoTools, PlanStep } from "./demo-tools.ts";
import { quoteOutput, commandOutput, type Exchange, type Scene } from "./scene.ts";

/** The one bug of `examples/sample-project`, and its repair. */
const sampleBug = {
  file: "src/split.js",
  wrong: "  const share = Math.round(cents / people.length);",
  right: "  const share = Math.floor(cents / people.length);",
  explanation: `\`splitEvenly\` rounds the share to the nearest cent. Rounded up, the shares add up to more than the bill and no cent is left over to hand out. Rounded down, the cents left over are handed out one by one, as meant.`,
} as const;

/** How the demo runs a project's tests. */
export const testCommand = "node --test";
const lookAround = "ls . src test";
const { file, explanation } = sampleBug;
const readFile = `cat ${file}`;
type RunTool = NonNullable<DemoTools["run"]>;
type PatchTool = NonNullable<DemoTools["patch"]>;

const steps = ["Look at the project", "Run the tests", "Repair the bug", "Run the tests again"];

/**
 * Looks around, runs the tests, reads the file, repairs it, runs the tests again and sums up: one step a request, the
 * one that what was done so far asks for. If the tests may not run, it only reads, and shows the repair.
 */
export function fixFailingTest(scene: Scene): readonly TurnItem[] {
  const { run, patch } = scene.tools;
  if (!run || !patch) return say("I can repair nothing here: I need a tool that runs commands, and apply_patch.");
  const refused = scene.exchanges.find(({ subject, exitCode }) => isReader(subject) && exitCode === null);
  if (refused) return tell(`\`${refused.subject}\` did not run. This is what I got instead:`, refused);
  return investigate(scene, run) ?? repair(scene, run, patch);
}

/** The steps up to reading the file; null when they are done. */
function investigate(scene: Scene, run: RunTool): readonly TurnItem[] | null {
  const tests = find(scene, testCommand);
  if (!find(scene, lookAround)) return [...introduce(scene), run(lookAround)];
  if (!tests) return [{ reasoning: "**Running the tests** to see which one fails, and how." }, run(testCommand)];
  if (tests.exitCode === 0) return finish(scene, "All tests pass as they are: there is nothing to repair.");
  if (!find(scene, readFile)) return [{ text: nameFailure(tests) }, run(readFile)];
  return null;
}

function repair(scene: Scene, run: RunTool, patch: PatchTool): readonly TurnItem[] {
  const text = commandOutput(find(scene, readFile)?.output ?? "");
  const repairing = repairPatch(text);
  if (repairing === null) return say(`I only know the bug of the sample project, and ${file} does not hold it.`);
  const firstTests = find(scene, testCommand);
  if (firstTests?.exitCode === null) return propose(repairing, firstTests);
  const patching = scene.exchanges.find(({ tool }) => tool === "apply_patch");
  if (!patching) return [{ reasoning: `**Repairing ${file}.** ${explanation}` }, ...plan(scene, 2), patch(repairing)];
  if (!patching.output.includes("Success")) return tell("The patch did not apply. This is what I got:", patching);
  const tests = scene.exchanges.slice(scene.exchanges.indexOf(patching)).find(({ subject }) => subject === testCommand);
  if (!tests) return [{ text: "The patch is in. Now the tests again." }, run(testCommand)];
  if (tests.exitCode !== 0) return tell("I repaired the bug that I know, but the tests still fail:", tests);
  return finish(scene, `Fixed: all tests pass.\n\n${explanation}\n\nChanged: \`${file}\`, one line.`);
}

function propose(patch: string, tests: Exchange): readonly TurnItem[] {
  const repairing = `This patch would repair the project. I did not apply it, because I could not check it:\n\n\`\`\`\n${patch}\`\`\``;
  return tell(`${explanation}\n\n${repairing}\n\n\`${testCommand}\` did not run. This is what I got instead:`, tests);
}

function isReader(subject: string): boolean {
  return [lookAround, readFile].includes(subject);
}

function introduce(scene: Scene): readonly TurnItem[] {
  return [
    { reasoning: "**Planning the repair.** First look, then run the tests, then change as little as possible." },
    {
      text:
        "I am the demo model: a script in place of a model, so nothing here is intelligent, but the tools and what they " +
        "do are real. I will look at the project, run its tests and repair what fails.",
    },
    ...plan(scene, 0),
  ];
}

/** The plan with its first `completed` steps done, and the next one begun; nothing where there is no tool for it. */
function plan({ tools }: Scene, completed: number): readonly TurnItem[] {
  const status = (index: number): PlanStep["status"] => {
    if (index < completed) return "completed";
    return index === completed ? "in_progress" : "pending";
  };
  return tools.plan ? [tools.plan(steps.map((step, index) => ({ step, status: status(index) })))] : [];
}

/** Completes the plan; once that is done, sums up. */
function finish(scene: Scene, summary: string): readonly TurnItem[] {
  const last = scene.exchanges.findLast(({ tool }) => tool === "update_plan");
  const isOpen = last !== undefined && /"(pending|in_progress)"/.test(last.subject);
  return isOpen ? plan(scene, steps.length) : say(summary);
}

function nameFailure({ output, exitCode }: Exchange): string {
  if (exitCode === null) return `The tests may not run here, so I only read: ${file} next.`;
  const failure = /^\s*(?:✖|not ok \d+ -) (.+?)(?: \([\d.]+ms\))?$/m.exec(output);
  return `${failure ? `This test fails: “${failure[1]}”.` : "The tests fail."} I will read ${file}.`;
}

function find({ exchanges }: Scene, subject: string): Exchange | null {
  return exchanges.find((exchange) => exchange.subject === subject) ?? null;
}

function say(text: string): readonly TurnItem[] {
  return [{ text }];
}

function tell(message: string, { output }: Exchange): readonly TurnItem[] {
  return say(`${message}\n\n${quoteOutput(output)}`);
}

/**
 * The patch that repairs the bug in the text of its file, with a line of context on both sides. Null: the text does
 * not hold the bug.
 */
function repairPatch(text: string): string | null {
  const lines = text.split("\n");
  const at = lines.indexOf(sampleBug.wrong);
  if (at === -1) return null;
  const before = lines.slice(Math.max(0, at - 1), at).map((line) => ` ${line}`);
  const after = lines.slice(at + 1, at + 2).map((line) => ` ${line}`);
  return [
    "*** Begin Patch",
    `*** Update File: ${sampleBug.file}`,
    "@@",
    ...before,
    `-${sampleBug.wrong}`,
    `+${sampleBug.right}`,
    ...after,
    "*** End Patch",
    "",
  ].join("\n");
}
