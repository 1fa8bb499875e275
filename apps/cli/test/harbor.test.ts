import { execFile, spawnSync } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ScriptedModelOptions } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import * as z from "zod";
import { command, openCommandWorld } from "./run-unroll.ts";

// The format as its RFC 0001 (ATIF 1.7) has it: all fields that an agent of one thread may write, and no other.

const object = z.record(z.string(), z.unknown());
const metrics = z.strictObject({
  prompt_tokens: z.int().optional(),
  completion_tokens: z.int().optional(),
  cached_tokens: z.int().optional(),
  cost_usd: z.number().optional(),
  extra: object.optional(),
});
const base = { step_id: z.int().min(1), timestamp: z.iso.datetime().optional(), message: z.string() };
const stepSchema = z.discriminatedUnion("source", [
  z.strictObject({ ...base, source: z.literal("system") }),
  z.strictObject({ ...base, source: z.literal("user") }),
  z.strictObject({
    ...base,
    source: z.literal("agent"),
    model_name: z.string().optional(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(z.strictObject({ tool_call_id: z.string(), function_name: z.string(), arguments: object }))
      .optional(),
    observation: z
      .strictObject({ results: z.array(z.strictObject({ source_call_id: z.string(), content: z.string() })) })
      .optional(),
    metrics: metrics.optional(),
    llm_call_count: z.int().min(0).optional(),
  }),
]);
const trajectorySchema = z.strictObject({
  schema_version: z.literal("ATIF-v1.7"),
  session_id: z.string(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z.array(z.object({ type: z.literal("function"), function: object })).optional(),
  }),
  steps: z
    .array(stepSchema)
    .min(1)
    .refine((steps) => steps.every(({ step_id: id }, index) => id === index + 1), "step ids count from 1")
    .refine(
      (steps) =>
        steps.every((step) => {
          if (step.source !== "agent") return true;
          const calls = new Set(step.tool_calls?.map(({ tool_call_id: id }) => id));
          return (step.observation?.results ?? []).every(({ source_call_id: id }) => calls.has(id));
        }),
      "outputs are in the step of their call",
    ),
  final_metrics: z.strictObject({
    total_prompt_tokens: z.int(),
    total_completion_tokens: z.int(),
    total_cached_tokens: z.int(),
    total_cost_usd: z.number().optional(),
    total_steps: z.int(),
    extra: object.optional(),
  }),
});

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
const folder = join(import.meta.dirname, "../../../integrations/harbor");

interface Trial {
  readonly ran: {
    readonly name: string;
    readonly context: object;
    readonly commands: readonly string[];
    readonly error: string | null;
  };
  /** Null: none was written. */
  readonly trajectory: z.infer<typeof trajectorySchema> | null;
  readonly events: string;
}

/** Runs the adapter as Harbor does, where `unroll` is installed already. */
async function runTrial(options: ScriptedModelOptions, kwargs: object, instruction: string): Promise<Trial> {
  await using world = await openCommandWorld(options);
  const [logs, bin] = [join(world.work, "logs"), join(world.work, "bin")];
  await Promise.all([logs, bin].map((folder) => mkdir(folder)));
  await symlink(command, join(bin, "unroll"));
  const env = {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    HOME: world.home,
    OPENAI_API_KEY: "any",
    OPENAI_BASE_URL: world.model.url,
    LOGS_DIR: logs,
    AGENT_KWARGS: JSON.stringify(kwargs),
  };
  const { stdout } = await promisify(execFile)("python3", ["-B", join(folder, "test/run_agent.py"), instruction], {
    cwd: world.work,
    env,
  });
  const file = await readFile(join(logs, "trajectory.json"), "utf8").catch(() => null);
  return {
    ran: JSON.parse(stdout) as Trial["ran"],
    trajectory: file === null ? null : trajectorySchema.parse(JSON.parse(file)),
    events: await readFile(join(logs, "unroll.jsonl"), "utf8"),
  };
}

test.runIf(hasPython)(
  "the adapter for Harbor runs a task and writes a trajectory in the published format",
  async () => {
    const call = { call: "exec_command", arguments: { cmd: "echo 'one two' > 'a file'; cat 'a file'", login: false } };
    const script = { turns: [{ items: [{ reasoning: "Look." }, call] }, { items: [{ text: "Done." }] }] };
    const instruction = "- Don't\n  $HOME; `stop`";
    const kwargs = { model_name: "openai/gpt-5", reasoning_effort: "low", max_cost: 5 };
    const { ran, trajectory, events } = await runTrial({ script }, kwargs, instruction);
    expect(ran.error).toBe(null);
    expect(events).toContain('"type":"turn.completed"');
    const [instructions, ...steps] = trajectory?.steps ?? [];
    expect(instructions).toMatchObject({ source: "system", message: expect.stringContaining("unroll") });
    const shown = steps.filter(({ source }) => source !== "system");
    expect(shown).toMatchObject([
      { source: "user", message: instruction },
      {
        source: "agent",
        model_name: "gpt-5",
        reasoning_content: "Look.",
        tool_calls: [{ function_name: "exec_command", arguments: call.arguments }],
        observation: { results: [{ content: expect.stringContaining("one two") }] },
        llm_call_count: 1,
      },
      { source: "agent", message: "Done.", metrics: { prompt_tokens: expect.any(Number) } },
    ]);
    const total = trajectory?.final_metrics;
    expect(ran.context).toEqual({
      n_input_tokens: total?.total_prompt_tokens,
      n_cache_tokens: total?.total_cached_tokens,
      n_output_tokens: total?.total_completion_tokens,
      cost_usd: total?.total_cost_usd,
    });
    expect(total?.total_cost_usd).toBeGreaterThan(0);
  },
);

test.runIf(hasPython)("a task whose turn fails is an error for Harbor, and has a trajectory, too", async () => {
  const respond = (): { status: number; json: object } => ({ status: 400, json: { error: { message: "No." } } });
  const { ran, trajectory } = await runTrial({ respond, allowViolations: true }, {}, "Hello");
  expect(ran.error).toContain("Command failed (exit 1)");
  expect(trajectory?.steps.at(-1)).toMatchObject({ source: "user", message: "Hello" });
});

test.runIf(hasPython)("the trials of a job become results that unroll compares", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const timing = { started_at: "2026-11-27T10:00:00.500Z", finished_at: "2026-11-27T10:02:00+00:00" };
  const counts = { n_input_tokens: 900, n_cache_tokens: 300, n_output_tokens: 20, cost_usd: 0.25 };
  const trials = [
    { task_name: "a", agent_result: counts, verifier_result: { rewards: { reward: 1.0 } }, agent_execution: timing },
    {
      task_name: "b",
      agent_result: null,
      verifier_result: null,
      exception_info: { exception_type: "AgentTimeoutError" },
    },
  ];
  for (const trial of trials) {
    await mkdir(join(world.work, "job", `${trial.task_name}__x1`), { recursive: true });
    await writeFile(join(world.work, "job", `${trial.task_name}__x1`, "result.json"), JSON.stringify(trial));
  }
  await writeFile(join(world.work, "job/result.json"), "{}"); // of the job itself
  const { stdout } = await promisify(execFile)("python3", ["-B", join(folder, "harbor_results.py"), "job"], {
    cwd: world.work,
  });
  const usage = { input_tokens: 900, cached_input_tokens: 300, output_tokens: 20 };
  expect(
    stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    { id: "a", status: "completed", solved: true, cost: 0.25, duration_ms: 119_500, usage },
    { id: "b", status: "failed", solved: false, cost: null, duration_ms: null, usage: null },
  ]);
  await writeFile(join(world.work, "a.jsonl"), stdout);
  const compared = await world.run(["eval", "compare", "a.jsonl", "a.jsonl", "--json"]);
  expect(JSON.parse(compared.stdout)).toMatchObject({ graded: true, tasks: 2, solved: { a: 1, b: 1 } });
});
