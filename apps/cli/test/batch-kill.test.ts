import { type ChildProcess, execFileSync } from "node:child_process";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openCommandWorld, type RanCommand } from "./run-unroll.ts";

const ids = ["a", "b", "c", "d", "e", "f"];
const batch = ["exec", "--batch", "tasks.jsonl", "--skip-git-repo-check", "-s", "danger-full-access"];
const said = (text: string): Turn => ({ items: [{ text }] });
const called = (cmd: string): Turn => ({ items: [{ call: "exec_command", arguments: { cmd, login: false } }] });

/** The task of a request, and whether the model has the output of its call. */
function readRequest({ body }: CapturedRequest): { readonly id: string; readonly isCalled: boolean } {
  const text = JSON.stringify(body);
  const id = /Task <(\w)>/.exec(text)?.[1];
  if (id === undefined) throw new Error(`a request of no task: ${text.slice(0, 200)}`);
  return { id, isCalled: text.includes("function_call_output") };
}

function readResults(text: string): readonly (readonly [id: string, status: string, message: string])[] {
  const lines = text.split("\n").filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as { id: string; status: string; final_message: string })
    .map((result) => [result.id, result.status, result.final_message] as const)
    .toSorted(([one], [other]) => one.localeCompare(other));
}

const allDone = ids.map((id) => [id, "completed", `${id} is done`]);

interface Batch extends AsyncDisposable {
  readonly world: Awaited<ReturnType<typeof openCommandWorld>>;
  readonly run: () => Promise<RanCommand>;
  /** Ids of the tasks whose calls ran, once for each time. */
  readonly listRuns: () => Promise<readonly string[]>;
}

/** Each task runs one call, which adds its id to a file, and answers. `signals`: by the count of requests at which they are sent. */
async function openBatch(signals: ReadonlyMap<number, NodeJS.Signals>): Promise<Batch> {
  let child: ChildProcess | null = null;
  let requests = 0;
  const world = await openCommandWorld({
    respond(request) {
      const { id, isCalled } = readRequest(request);
      const signal = signals.get((requests += 1));
      if (signal !== undefined) {
        child?.kill(signal);
        return { ...said("This answer is never read."), delayMs: 60_000 };
      }
      return isCalled ? said(`${id} is done`) : called(`echo ${id} >> runs`);
    },
  });
  await writeFile(
    join(world.work, "tasks.jsonl"),
    ids.map((id) => JSON.stringify({ id, prompt: `Task <${id}>` })).join("\n"),
  );
  return {
    world,
    async run() {
      const running = world.start([...batch, "-j", "2", "--out", "results.jsonl"]);
      child = running.child;
      return running.ended;
    },
    listRuns: async () => (await readFile(join(world.work, "runs"), "utf8")).split("\n").filter(Boolean),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

test("a batch that is killed again and again ends with each task once, and no call runs twice", async () => {
  const kills = [1, 3, 6, 9, 13];
  await using killed = await openBatch(new Map(kills.map((request) => [request, "SIGKILL"])));
  const { world, run, listRuns } = killed;
  for (const _request of kills) expect((await run()).exitCode).toBe(null);
  const before = world.model.requests.length;
  const { exitCode, stderr } = await run();
  expect([exitCode, stderr.includes("6 completed, 0 failed, 0 left")]).toEqual([0, true]);
  expect(readResults(await readFile(join(world.work, "results.jsonl"), "utf8"))).toEqual(allDone);
  const runs = await listRuns(); // a call may have been cut off before it ran
  expect(runs).toHaveLength(new Set(runs).size);

  const last = world.model.requests.slice(before).map((request) => readRequest(request).id);
  expect(last.length).toBeLessThan(2 * ids.length); // what was done is not asked again
  const all = world.model.requests.length;
  expect(await run()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("6 finished earlier") });
  expect(world.model.requests).toHaveLength(all);
});

test("^C ends a batch with its exit code, and the same command runs what is left", async () => {
  await using stopped = await openBatch(new Map([[5, "SIGINT"]]));
  const { world, run, listRuns } = stopped;
  expect(await run()).toMatchObject({ exitCode: 130, stderr: expect.stringContaining("The same command continues") });
  expect(await run()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("6 completed, 0 failed, 0 left") });
  expect(readResults(await readFile(join(world.work, "results.jsonl"), "utf8"))).toEqual(allDone);
  const runs = await listRuns(); // a call may have been cut off before it ran
  expect(runs).toHaveLength(new Set(runs).size);
});

test.skipIf(process.platform === "win32")(
  "a call that was cut off by a kill is not run again, and the model learns that its result is unknown",
  async () => {
    await using world = await openCommandWorld({
      respond: (request) => (readRequest(request).isCalled ? said("I looked.") : called("echo x >> runs; cat started")),
    });
    const fifo = join(world.work, "started");
    execFileSync("mkfifo", [fifo]);
    await writeFile(join(world.work, "tasks.jsonl"), '{"id":"a","prompt":"Task <a>"}');
    const first = world.start(batch);
    await using writer = await open(fifo, "w"); // opens when the command reads: then it runs
    first.child.kill("SIGKILL");
    await first.ended;
    await writer.close();
    const second = await world.run(batch);
    expect(second.exitCode).toBe(0);
    expect(readResults(second.stdout)).toEqual([["a", "completed", "I looked."]]);
    expect(await readFile(join(world.work, "runs"), "utf8")).toBe("x\n");
    const [output] = JSON.stringify(world.model.requests.at(-1)?.body).match(/"function_call_output".{0,400}/) ?? [];
    expect(output).toMatch(/unknown|interrupted|cut off/i);
  },
);
