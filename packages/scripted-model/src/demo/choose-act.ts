import { quoteWord } from "@unroll/text";
import { isJsonObject } from "../json.ts";
import type { TurnItem } from "../script/turn.ts";
import type { PlanStep, ForeignTool } from "./demo-tools.ts";
import { fixFailingTest, testCommand } from "./fix-failing-test.ts";
import { makeSample } from "./make-sample.ts";
import { type Scene, quoteOutput, commandOutput } from "./scene.ts";

interface Act {
  /** Matches a task; its group, if any, is the act's subject. */
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

/** The demo's answer to the user's task. */
export function chooseAct(scene: Scene): readonly TurnItem[] {
  const task = scene.task.trim();
  if (scene.tools.foreign && (scene.schema === null || scene.exchanges.length === 0)) {
    return useForeignTool(scene, scene.tools.foreign);
  }
  for (const { pattern, play } of acts) {
    const match = pattern.exec(task);
    if (match) return play(scene, (match[1] ?? "your request").trim().replace(/^(["`])(.*)\1$/s, "$2"));
  }
  if (scene.schema !== null) return [{ text: JSON.stringify(makeSample(scene.schema)) }];
  return explainDemo();
}

/** Says what the demo model is, what it can do, and how to get a real one. */
function explainDemo(): readonly TurnItem[] {
  return [
    {
      text: `I am unroll's built-in demo model: a script that answers in place of a model. I need no network and no key, and I do not understand language; I know these requests:

- \`fix the failing test\` (in the sample project)
- \`run: <command>\`
- \`show <file>\`
- \`make a plan for <something>\`

For a real model, set \`OPENAI_API_KEY\` and start again. \`OPENAI_BASE_URL\` points to another server that speaks the Responses API. For anything else add a provider to \`config.toml\` in \`$CODEX_HOME\` (\`~/.codex\` when unset):

\`\`\`toml
model = "its-model"
model_provider = "mine"

[model_providers.mine]
name = "Mine"
base_url = "https://models.example/v1"
env_key = "MINE_API_KEY"
\`\`\``,
    },
  ];
}

/** Writes a plan that fits every task, and announces it. */
function makePlan({ exchanges, tools }: Scene, subject: string): readonly TurnItem[] {
  const steps = [
    `Read what is there about: ${subject}`,
    "Write down how one will see that it is done",
    "Make the smallest change that gets there",
    "Check it, and tell what changed",
  ];
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
  const isPlanned = exchanges.some(({ tool }) => tool === "update_plan");
  if (tools.plan && !isPlanned) return [tools.plan(steps.map(toPlanStep))];
  return [{ text: `A plan for ${subject}:\n\n${list}\n\nI am the demo model, so it is the same plan for everything.` }];
}

function toPlanStep(step: string, index: number): PlanStep {
  return { step, status: index === 0 ? "in_progress" : "pending" };
}

const command = "git status --short";
const words = "I am the demo model: I looked at what is changed, and judge nothing.";

/** Looks at what is changed, and finds nothing: it cannot judge. */
function reviewChanges({ exchanges, tools, schema }: Scene): readonly TurnItem[] {
  if (tools.run && exchanges.length === 0) return [tools.run(command)];
  if (schema === null) return [{ text: words }];
  const answer = asksForFindings(schema) ? { findings: [], summary: words } : makeSample(schema);
  return [{ text: JSON.stringify(answer) }];
}

function asksForFindings(schema: unknown): boolean {
  const properties = isJsonObject(schema) ? schema["properties"] : null;
  return isJsonObject(properties) && "findings" in properties && "summary" in properties;
}

/** Runs a command and tells how it ended. */
function runCommand({ exchanges, tools }: Scene, command: string): readonly TurnItem[] {
  if (!tools.run) return [{ text: "I have no tool that runs commands here." }];
  const ran = exchanges.find(({ subject }) => subject === command);
  if (!ran) return [tools.run(command)];
  const ending = ran.exitCode === null ? "did not run. What I got instead:" : `ended with exit code ${ran.exitCode}.`;
  return [{ text: `\`${command}\` ${ending}\n\n${quoteOutput(ran.output)}` }];
}

/** Shows a file, whole. */
function showFile({ exchanges, tools }: Scene, path: string): readonly TurnItem[] {
  if (!tools.run) return [{ text: "I have no tool that reads files here." }];
  // Not to be taken for an option.
  const command = `cat ${quoteWord(path.startsWith("-") ? `./${path}` : path)}`;
  const read = exchanges.find(({ subject }) => subject === command);
  if (!read) return [tools.run(command)];
  const heading = read.exitCode === 0 ? `${path}:` : `I could not read ${path}:`;
  return [{ text: `${heading}\n\n\`\`\`\n${commandOutput(read.output).trimEnd()}\n\`\`\`` }];
}

/** Sums the thread up: what a harness asks for when it compacts. */
function sumUp({ earlierTasks }: Scene): readonly TurnItem[] {
  const tasks = earlierTasks.map((task) => `- ${task.split("\n")[0]}`);
  const list = tasks.length > 0 ? tasks.join("\n") : "- nothing yet";
  return [
    { text: `The person asked for, in this order:\n\n${list}\n\nI am the demo model: I answered each on the spot.` },
  ];
}

/** Calls a tool that a program brought, with made-up arguments of the right shape, and tells what came of it. */
function useForeignTool({ exchanges }: Scene, { name, parameters }: ForeignTool): readonly TurnItem[] {
  const used = exchanges.findLast(({ tool }) => tool === name);
  if (!used) return [{ call: name, arguments: makeSample(parameters) }];
  return [{ text: `I called \`${name}\` with made-up arguments, and it gave back:\n\n${quoteOutput(used.output)}` }];
}
