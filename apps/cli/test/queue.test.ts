import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "@unroll/scripted-model";
import { serverKinds, startRedis } from "@unroll/scripted-model/fixture/servers";
import { expect, test } from "vitest";
import { listProcesses } from "./list-processes.ts";
import { type InProcessWorld, openInProcessWorld, openModelWorld } from "./run-in-process.ts";

interface WaitingQuestion {
  readonly task: string;
  readonly id: string;
  readonly thread_id: string;
  readonly question: unknown;
}

const toFile = (tasks: readonly object[]): string => tasks.map((task) => JSON.stringify(task)).join("\n");

test.skipIf(serverKinds.redis !== null)(
  "tasks are added, looked after, run by a worker that ^C ends, and read back",
  async () => {
    await using server = await startRedis();
    const said = { items: [{ text: "Done." }] };
    await using world = await openModelWorld({ script: { turns: [said], atEnd: "repeat-last" } });
    await world.write("home/queue.url", `${server.url}\n`);
    const env = { UNROLL_QUEUE: `@${world.home}/queue.url` };
    const run = async (...args: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await world.run([...args, "--host", "one"], { env });
      return `${stdout}${stderr}${exitCode}`;
    };
    await world.write("work/tasks.jsonl", toFile(["a", "b", "c"].map((id) => ({ id, prompt: "Go" }))));
    expect(await run("queue", "add", "tasks.jsonl", "--attempts", "2", "--keep", "1h", "--priority", "1")).toBe(
      "Added 3 tasks for host one.\n0",
    );
    expect(await run("queue", "add", "tasks.jsonl")).toBe("Added 0 tasks for host one; 3 tasks were there already.\n0");
    await world.write("work/later.jsonl", toFile([{ id: "later", prompt: "Go" }]));
    expect(await run("queue", "add", "later.jsonl", "--shared", "--delay", "1h")).toBe(
      "Added 1 task for all hosts.\n0",
    );
    expect(await run("queue", "cancel", "c", "nope")).toBe("c is removed.\nThe queue has no task nope.\n1");
    expect(await run("queue", "pause")).toContain("host one: paused; running tasks end.");
    expect(await run("queue", "status")).toContain(
      "host one: 0 delayed, 0 active, 0 completed, 0 failed, 2 waiting (paused)",
    );
    expect(await run("queue", "resume")).toContain("host one: workers take tasks.");
    expect(await run("queue", "drain")).toContain("all hosts: removed 1 task.\nhost one: removed 2 tasks.");
    expect(await run("queue", "add", "tasks.jsonl")).toBe("Added 3 tasks for host one.\n0");
    expect(await run("queue", "cancel", "c")).toBe("c is removed.\n0");

    let ended = 0;
    const worked = await world.run(["worker", "--host", "one", "-j", "1", "--rate", "9/1s", "--task-timeout", "1h"], {
      env,
      onOutput(piece, interrupt) {
        ended += piece.includes("✓") ? 1 : 0;
        if (ended === 2) interrupt();
      },
    });
    expect(worked.stderr).toContain("worker: 2 completed, 0 failed, 0 returned to the queue\n");
    loseEvents(server.url); // results are the states of jobs, and follow reads the thread
    const results = (await run("queue", "results")).split("\n").slice(0, -1);
    expect(results.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: "a", status: "completed", final_message: "Done." },
      { id: "b", status: "completed", final_message: "Done." },
    ]);
    expect(await run("queue", "retry", "a")).toBe("a has not failed.\n0");
    const followed = await run("queue", "follow", "b");
    expect(followed).toContain('{"type":"turn.started"');
    expect(followed).toContain('"text":"Done."');
  },
);

test.skipIf(serverKinds.redis !== null)(
  "a task whose call needs an approval frees its worker, and continues in another one with the answer of queue answer",
  async () => {
    await using server = await startRedis();
    const touch = (name: string): Turn => ({
      items: [{ call: "exec_command", arguments: { cmd: `touch ${name}` } }],
    });
    const done = { items: [{ text: "Done." }] };
    await using world = await openModelWorld({ script: { turns: [touch("first"), touch("second"), done] } });
    const env = { UNROLL_QUEUE: server.url };
    const run = async (...args: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await world.run(["queue", ...args, "--host", "one"], { env });
      return `${stdout}${stderr}${exitCode}`;
    };
    const work = (): Promise<string> => runWorker(world, env);
    const readQuestion = async (): Promise<WaitingQuestion> => {
      const { stdout } = await world.run(["queue", "answer", "--host", "one"], { env });
      return JSON.parse(stdout) as WaitingQuestion;
    };
    await world.write("work/tasks.jsonl", toFile([{ id: "a", prompt: "Go" }]));
    await run("add", "tasks.jsonl");
    expect(await work()).toContain("↩ a goes back to the queue: It waits for an answer (unroll queue answer).");
    const first = await readQuestion();
    expect(first).toMatchObject({ task: "a", question: { type: "command.approval", command: "touch first" } });
    expect(await run("answer", "a", "000000000000", "approve")).toContain("does not wait for this question");
    expect(await run("answer", "a", first.id, "approve", "Please")).toContain("A reason goes with deny");
    expect(await run("answer", "a", first.id)).toContain("Name the question and your decision");
    expect(await run("answer", "b", first.id, "approve")).toContain("The queue has no task b.\n1");
    expect(await run("answer", "a", first.id, "approve")).toBe("a continues with your answer.\n0");
    await work(); // up to the next question
    expect(existsSync(join(world.work, "first"))).toBe(true);
    const second = await readQuestion();
    expect(second).toMatchObject({ thread_id: first.thread_id, question: { command: "touch second" } });
    expect(await run("answer", "a", second.id, "deny", "Use first.")).toBe("a continues with your answer.\n0");
    expect(await work()).toContain("✓ a");
    expect(existsSync(join(world.work, "second"))).toBe(false);
    expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("Use first.");
    expect(JSON.parse((await run("results")).slice(0, -1))).toMatchObject({ id: "a", thread_id: first.thread_id });
    expect(await run("answer")).toBe("0");
  },
);

test.skipIf(serverKinds.redis !== null)(
  "a worker leaves a task whose thread a newer version wrote to a newer worker, and changes nothing",
  async () => {
    await using server = await startRedis();
    const call = { items: [{ call: "exec_command", arguments: { cmd: "touch first" } }] };
    await using world = await openModelWorld({ script: { turns: [call] } });
    const env = { UNROLL_QUEUE: server.url };
    const work = (): Promise<string> => runWorker(world, env);
    await world.write("work/tasks.jsonl", toFile([{ id: "a", prompt: "Go" }]));
    await world.run(["queue", "add", "tasks.jsonl", "--host", "one"], { env });
    await work(); // up to its question
    const [path = ""] = globSync(join(world.codexHome, "sessions/*/*/*/rollout-*.jsonl"));
    appendFileSync(
      path,
      '{"timestamp":"2030-01-01T00:00:00.000Z","type":"unroll","payload":{"type":"needs","names":["call.leased"]}}\n',
    );
    const bytes = readFileSync(path);
    const { stdout: asked } = await world.run(["queue", "answer", "--host", "one"], { env });
    const { id } = JSON.parse(asked) as WaitingQuestion;
    await world.run(["queue", "answer", "a", id, "approve", "--host", "one"], { env });
    expect((await work()).replaceAll(/\s+/g, " ")).toContain(
      "A newer version of unroll wrote something that this one does not know (call.leased, line",
    );
    expect(readFileSync(path)).toEqual(bytes);
    expect(existsSync(join(world.work, "first"))).toBe(false);
    const { stdout: status } = await world.run(["queue", "status", "--host", "one"], { env });
    expect(status).toContain("host one: 1 delayed, 0 active, 0 completed, 0 failed");
  },
);

test("a queue needs a URL, and none with a password on the command line", async () => {
  await using world = await openInProcessWorld();
  const run = async (...args: readonly string[]): Promise<string> => (await world.run(args)).stderr;
  expect(await run("queue", "status")).toContain("No queue is named: set UNROLL_QUEUE");
  const leaked = await run("worker", "--queue", "redis://me:sesame@127.0.0.1:1");
  expect(leaked).toContain("a password on the command line");
  expect(leaked).not.toContain("sesame");
  expect(await run("worker", "-j", "0")).toContain("It must be a whole number, 1 or more.");
  expect(await run("queue", "status", "--queue", "redis://127.0.0.1:1")).toContain("ECONNREFUSED");
  expect(await run("queue", "status", "--queue", "postgres:///db")).toContain("postgres://USER@HOST/DATABASE");
});

test("a worker tries its store of threads before it takes a task", async () => {
  await using world = await openModelWorld({ script: { turns: [] } });
  await world.write("home/.codex/sessions", "not a folder");
  const { stderr, exitCode } = await world.run([
    "worker",
    "--queue",
    "redis://127.0.0.1:1",
    "-s",
    "danger-full-access",
  ]);
  expect(stderr).toContain(join(world.codexHome, "sessions"));
  expect(stderr).not.toContain("ECONNREFUSED");
  expect(exitCode).not.toBe(0);
});

/** Returns the messages of a worker whose commands need approval. ^C ends it when its first task ends or goes back. */
async function runWorker(world: InProcessWorld, env: Readonly<Record<string, string>>): Promise<string> {
  const permissions = ["-a", "untrusted", "-s", "danger-full-access", "--approvals", "wait"];
  const { stderr } = await world.run(["worker", "--host", "one", ...permissions], {
    env,
    onOutput(piece, interrupt) {
      if (/^[✓✗↩]/u.test(piece)) interrupt();
    },
  });
  return stderr;
}

/** Removes what BullMQ has told about its jobs. */
function loseEvents(url: string): void {
  const redis = (...args: readonly string[]): string =>
    spawnSync("/usr/bin/redis-cli", ["-s", url.slice("unix://".length), ...args], { encoding: "utf8" }).stdout;
  const streams = redis("--scan", "--pattern", "*:events").trim().split("\n");
  expect(streams.length).toBeGreaterThan(1);
  expect(redis("del", ...streams).trim()).toBe(String(streams.length));
}

test.skipIf(serverKinds.redis !== null)(
  "a command that still runs ends when its task waits, and the model learns it from its next call",
  async () => {
    await using server = await startRedis();
    const exec = (cmd: string, more: object = {}): Turn => ({
      items: [{ call: "exec_command", arguments: { cmd, ...more } }],
    });
    const look = { items: [{ call: "write_stdin", arguments: { session_id: 1, chars: "" } }] };
    const mark = `/proc/self/${randomUUID()}`; // a file that is not there
    await using world = await openModelWorld({
      script: {
        turns: [
          exec(`tail -f /dev/null ${mark}`, { yield_time_ms: 250 }),
          exec("touch asked"),
          look,
          { items: [{ text: "Done." }] },
        ],
      },
    });
    const env = { UNROLL_QUEUE: server.url };
    const work = (): Promise<string> => runWorker(world, env);
    await world.write("work/tasks.jsonl", toFile([{ id: "a", prompt: "Go" }]));
    await world.run(["queue", "add", "tasks.jsonl", "--host", "one"], { env });
    expect(await work()).toContain("It waits for an answer");
    expect(listProcesses()).not.toContain(mark);
    const { stdout: asked } = await world.run(["queue", "answer", "--host", "one"], { env });
    const { id } = JSON.parse(asked) as WaitingQuestion;
    await world.run(["queue", "answer", "a", id, "approve", "--host", "one"], { env });
    expect(await work()).toContain("✓ a");
    expect(JSON.stringify(world.model.requests.at(-1)?.input.at(-1))).toContain("There is no session 1");
    expect(JSON.stringify(world.model.requests)).not.toContain("request_user_input");
  },
);
