import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServerWorld, runTurn, type TestClient, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });

/** Runs a command of the user to the end of its turn. Returns the messages of that time, without the answer. */
async function runCommand(client: TestClient, params: object): Promise<readonly Told[]> {
  const before = client.told.length;
  expect((await client.request("thread/shellCommand", params)).result).toEqual({});
  await client.find(({ method }, at) => method === "turn/completed" && at >= before);
  return client.told.slice(before).filter(({ method }) => method !== undefined);
}

const findItem = (told: readonly Told[]): unknown =>
  told.findLast(({ method }) => method === "item/completed")?.params?.["item"];

test("a command of the user is a turn of its own, runs outside the sandbox, and goes to the model with the next message", async () => {
  await using world = await openServerWorld({ script: { turns: [text("Seen.")] } });
  const server = await world.open();
  const { work } = world;
  const threadId = threadOf(await server.request("thread/start", { cwd: work, sandbox: "read-only" }));
  const told = await runCommand(server, { threadId, command: "echo one | tee made; exit 3" });
  expect(told.map(({ method }) => method)).toEqual([
    "thread/status/changed",
    "turn/started",
    "item/started",
    "item/commandExecution/outputDelta",
    "item/completed",
    "thread/status/changed",
    "turn/completed",
  ]);
  expect(findItem(told)).toMatchObject({
    type: "commandExecution",
    source: "userShell",
    command: "echo one | tee made; exit 3",
    cwd: work,
    status: "failed",
    exitCode: 3,
    aggregatedOutput: "one\n",
  });
  expect(told.at(-1)?.params).toMatchObject({ threadId, turn: { status: "completed", error: null } });
  expect(existsSync(join(work, "made"))).toBe(true);
  expect(world.model.requests).toEqual([]);
  await runTurn(server, threadId);
  expect(JSON.stringify(world.model.requests[0]?.input)).toContain(
    "<user_command>\\nThe person ran this themselves (exit code 3):\\n$ echo one | tee made; exit 3\\none\\n</user_command>",
  );
  const read = await server.request("thread/read", { threadId, includeTurns: true });
  expect(JSON.stringify(read.result)).not.toContain("user_command");
});

test("a command of the user ends after timeoutMs, and by an interruption of its turn", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const late = await runCommand(server, { threadId, command: "sleep 600", timeoutMs: 0 });
  expect(findItem(late)).toMatchObject({ status: "failed", exitCode: null });
  expect(late.at(-1)?.params).toMatchObject({ turn: { status: "completed" } });
  const ended = runCommand(server, { threadId, command: "echo on; sleep 600" });
  const { params } = await server.find(({ method }) => method === "item/commandExecution/outputDelta");
  expect(params).toMatchObject({ delta: "on\n" });
  await server.request("turn/interrupt", { threadId, turnId: params?.["turnId"] });
  const stopped = await ended;
  expect(findItem(stopped)).toMatchObject({ status: "failed", aggregatedOutput: "on\n" });
  expect(stopped.at(-1)?.params).toMatchObject({ turn: { status: "interrupted", error: null } });
});

test("a command of the user belongs to the turn that runs, and the model gets it with its next request", async () => {
  const wait = { items: [{ call: "exec_command", arguments: { cmd: "until test -e go; do sleep 0.05; done" } }] };
  const config = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"\nshell_tool = "exec_command"\n';
  await using world = await openServerWorld({ script: { turns: [wait, text("Done.")] } }, config);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { cwd: world.work }));
  const turn = runTurn(server, threadId);
  const { params } = await server.find(({ method, params: { item } = {} as never }) => {
    return method === "item/started" && (item as Told)["type"] === "commandExecution";
  });
  expect((await server.request("thread/shellCommand", { threadId, command: "echo inside" })).result).toEqual({});
  const own = await server.find(({ method, params: { item } = {} as never }) => {
    return method === "item/completed" && (item as Told)["source"] === "userShell";
  });
  expect(own.params).toMatchObject({ turnId: params?.["turnId"], item: { aggregatedOutput: "inside\n" } });
  await writeFile(join(world.work, "go"), ""); // by no command of the user: the turn would wait for its end, too
  await turn;
  expect(server.told.filter(({ method }) => method === "turn/started")).toHaveLength(1);
  expect(JSON.stringify(world.model.requests[1]?.input)).toContain("$ echo inside\\ninside\\n</user_command>");
});

test("a command that is empty, a negative time limit and a thread that is not open are refused", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const refuse = async (params: object): Promise<string | undefined> =>
    (await server.request("thread/shellCommand", params)).error?.message;
  expect(await refuse({ threadId, command: "  " })).toContain("command: it must not be empty");
  expect(await refuse({ threadId, command: "ls", timeoutMs: -1 })).toContain("timeoutMs: ");
  expect(await refuse({ threadId: "none", command: "ls" })).toContain("is not open");
});
