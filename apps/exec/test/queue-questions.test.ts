import { existsSync } from "node:fs";
import { join } from "node:path";
import { forEach } from "@unroll/flow";
import { watchInterruption } from "@unroll/program";
import { createTestIo } from "@unroll/program/fixture/test-io";
import type { TaskRunner } from "@unroll/batch";
import { openTaskQueue, runWorker, type WorkerEvent } from "@unroll/queue";
import { serverKinds, startPostgres, startRedis } from "@unroll/scripted-model/fixture/servers";
import { describe, expect, test } from "vitest";
import { openTaskProgram } from "../src/batch/open-task-program.ts";
import { createExecOutput } from "../src/output/exec-output.ts";
import { openExecWorld } from "./exec-world.ts";

const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const done = { items: [{ text: "Done." }] };
const permissions = { askForApproval: "untrusted", sandbox: "danger-full-access" } as const;

const kinds = [
  ["redis", startRedis],
  ["postgres", startPostgres],
] as const;

describe.each(kinds)("a queue on %s", (kind, start) => {
  test.skipIf(serverKinds[kind] !== null)(
    "a task that waits for an answer ends by itself if another program answers in its thread",
    async () => {
      await using server = await start();
      await using world = await openExecWorld({ script: { turns: [touch, done] } });
      await using queue = await openTaskQueue({ url: server.url });
      const io = createTestIo({
        env: { PATH: process.env["PATH"], HOME: world.home },
        cwd: world.work,
        homeDirectory: world.home,
      });
      using interruption = watchInterruption(io);
      const output = createExecOutput({}, io, interruption);
      await using program = await openTaskProgram({ ...permissions, skipGitRepoCheck: true }, io, {
        interruption,
        output,
        what: "A test",
      });
      await queue.add([{ id: "a", prompt: "Go" }], { newId: io.newId });
      const stop = new AbortController();
      const waiting: unknown[] = [];
      const exitCodes: number[] = [];
      const types: WorkerEvent["type"][] = [];
      const answered = Promise.withResolvers<void>();
      let runs = 0;
      const runner: TaskRunner = {
        async run(task, room) {
          if ((runs += 1) > 1) await answered.promise; // else it would meet the other program in the thread
          return await program.runner.run(task, room);
        },
      };
      const options = { url: server.url, againMs: 1, waitsForAnswers: true, drain: stop.signal };
      const summary = await forEach(runWorker({ ...options, runner, clock: program.clock }), async (event) => {
        if (event.type !== "task.event") types.push(event.type);
        if (event.type === "task.returned") {
          const task = await queue.find("a");
          waiting.push(task?.questions);
          exitCodes.push((await world.run({ json: true, resume: task?.threadId ?? "", approvals: "refuse" })).exitCode);
          answered.resolve();
        }
        if (event.type === "task.ended") stop.abort();
      });
      expect({ waiting, exitCodes }).toMatchObject({
        waiting: [[{ question: { command: "touch made" }, answer: null }]],
        exitCodes: [0],
      });
      expect(summary).toMatchObject({ completed: 1, failed: 0 });
      expect(types.filter((type) => type !== "task.started")).toEqual([
        "worker.started",
        "task.returned",
        "task.ended",
        "worker.draining",
      ]);
      expect((await queue.find("a"))?.result).toMatchObject({ status: "completed", final_message: "Done." });
      expect(existsSync(join(world.work, "made"))).toBe(false);
      expect(world.model.requests).toHaveLength(2);
    },
  );
});
