import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverKinds, startPostgres, type TestServer } from "@unroll/scripted-model/fixture/servers";
import { openExecWorld } from "./exec-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });

describe.skipIf(serverKinds.postgres !== null)("threads in PostgreSQL", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("a thread of one machine is resumed on another one, its prefix holds, and no command gets the address", async () => {
    const command = {
      call: "exec_command",
      arguments: { cmd: "env | grep -c UNROLL_STORE >seen; true", login: false },
    };
    const script = { turns: [{ items: [command] }, said("One."), said("Two.")] };
    await using world = await openExecWorld({ script }, 'sandbox_mode = "danger-full-access"\n');
    const env = { UNROLL_STORE: `${server.url}&application_name=x` };
    const first = await world.run({ prompt: "a" }, { env });
    expect(first).toMatchObject({ exitCode: 0, stdout: "One.\n" });
    const [, id = ""] = /^session id: (\S+) ·/m.exec(first.stderr) ?? [];
    writeFileSync(join(world.home, "store"), `${env.UNROLL_STORE}\n`);
    const other = { CODEX_HOME: join(world.home, ".codex") };
    const second = await world.run({ store: `@${join(world.home, "store")}`, resume: id, prompt: "b" }, { env: other });
    expect(second).toMatchObject({ exitCode: 0, stdout: "Two.\n" });
    expect(world.model.violations).toEqual([]);
    const [, before, after] = world.model.requests.map(({ input }) => input);
    expect(after?.slice(0, before?.length)).toEqual(before);
    expect(globSync("**/*.jsonl", { cwd: join(world.home, ".codex") })).toEqual([]);
    expect(readFileSync(join(world.work, "seen"), "utf8")).toBe("0\n");
    expect(JSON.stringify(world.model.requests)).not.toContain(server.url);
  });

  test("a batch keeps its threads there, too", async () => {
    await using world = await openExecWorld({ script: { turns: [said("A."), said("B.")] } });
    writeFileSync(join(world.work, "tasks.jsonl"), '{"id":"a","prompt":"A"}\n{"id":"b","prompt":"B"}\n');
    const ran = await world.run({ batch: "tasks.jsonl", jobs: 1, store: server.url });
    expect(ran.exitCode).toBe(0);
    expect(globSync("**/*.jsonl", { cwd: join(world.home, ".codex") })).toEqual([]);
  });
});

test("a wrong address of a store, or one that does not answer, is an error before anything is sent", async () => {
  await using world = await openExecWorld({ script: { turns: [] } });
  const runs = [
    await world.run({ prompt: "a", store: "mysql://me:word@host/db" }),
    await world.run({ prompt: "a", store: "@missing" }),
    await world.run({ prompt: "a", store: "postgres://me:secret-word@127.0.0.1:1/db" }),
    await world.run({ prompt: "a" }, { env: { UNROLL_STORE: "postgres://me:secret-word@127.0.0.1:1/db" } }),
  ];
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2]);
  expect(runs.map(({ stderr }) => /^unroll.*$/m.exec(stderr)?.[0] ?? stderr)).toEqual([
    expect.stringContaining("--store: use a URL with postgres://, postgresql://, or @FILE"),
    expect.stringContaining("no such file"),
    expect.stringContaining("--store: a password on the command line"),
    expect.stringContaining("The store of threads at postgres://127.0.0.1:1/db"),
  ]);
  expect(JSON.stringify(runs)).not.toContain("word@");
  expect(world.model.requests).toEqual([]);
});
