import type { Person } from "@unroll/protocol";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { describe, expect, test } from "vitest";
import { createLatch } from "@unroll/mcp/fixture/open-fixture";
import { serveEverything } from "@unroll/mcp/fixture/serve-everything";
import { fakeServer, listServerStates, realServer, toServer } from "./mcp-servers.ts";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const waitForMcp = { waitForMcp: true };

function call(name: string, input: Record<string, unknown> = {}): Turn {
  return { items: [{ call: name, arguments: input }] };
}

function gatewayCall(server: string, tool: string, input: Record<string, unknown> = {}): Turn {
  return call("mcp_call", { server, tool, arguments: input });
}

const end: Turn = { items: [{ text: "End." }] };

function openWorld(...turns: readonly Turn[]): Promise<ThreadWorld> {
  return openThreadWorld({ script: { turns: [...turns, end], atEnd: "repeat-last" } });
}

function namesOf(request: CapturedRequest | undefined): readonly string[] {
  const { tools = [] } = (request?.body ?? {}) as { readonly tools?: readonly { readonly name?: string }[] };
  return tools.flatMap(({ name = "" }) => (name.startsWith("mcp_") ? [name] : []));
}

/** The items that a request adds to the one before it, as JSON. */
function newOf(world: ThreadWorld, index: number): string {
  const input = (at: number): readonly unknown[] =>
    (world.model.requests[at]?.body as { readonly input: readonly unknown[] } | undefined)?.input ?? [];
  return JSON.stringify(input(index).slice(input(index - 1).length));
}

describe("a server's tools are called by the model", () => {
  test.for(["stdio", "HTTP"] as const)("over %s", async (kind) => {
    await using world = await openWorld(call("mcp__everything__get-sum", { a: 2, b: 3 }));
    const config =
      kind === "stdio" ? realServer("everything") : toServer("everything", { url: (await serveEverything()).url });
    await using thread = await world.openThread({ config, ...waitForMcp });
    const { events, outcome } = await runToEnd(thread, "Add 2 and 3");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "End." });
    expect(newOf(world, 1)).toContain("The sum of 2 and 3 is 5.");
    expect(listServerStates(events)).toEqual(["everything: starting", "everything: ready"]);
    expect(events).toContainEqual({
      type: "item.completed",
      item: expect.objectContaining({ type: "mcp_tool_call", tool: "get-sum", status: "completed", error: null }),
    });
    expect(world.model.violations).toEqual([]);
  });

  test("of several real servers in one thread, in one fixed order", async () => {
    const entity = { name: "Ada", entityType: "person", observations: ["writes programs"] };
    await using world = await openWorld(
      call("mcp__memory__create_entities", { entities: [entity] }),
      call("mcp__memory__search_nodes", { query: "Ada" }),
      call("mcp__filesystem__list_directory", { path: "." }),
    );
    await writeFile(join(world.work, "seen.txt"), "");
    const memory = `mcp_servers.memory.env={MEMORY_FILE_PATH=${JSON.stringify(join(world.home, "memory.jsonl"))}}`;
    const config = [...realServer("memory"), memory, ...realServer("filesystem", world.work)];
    await using thread = await world.openThread({
      config: ["mcp_tool_schema_tokens=100000", ...config],
      ...waitForMcp,
    });
    expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
    expect(newOf(world, 2)).toContain("writes programs");
    expect(newOf(world, 3)).toContain("seen.txt");
    const names = namesOf(world.model.requests[0]);
    const gateway = ["mcp_call", "mcp_search"];
    expect(names).toEqual([...gateway, ...names.slice(2).toSorted()]);
    expect(world.model.violations).toEqual([]);
  });
});

test("of four servers the slow and the broken one do not hold the first request up, and every outcome is an event", async () => {
  const latch = await createLatch();
  await using world = await openWorld(gatewayCall("broken", "echo"));
  await using thread = await world.openThread({
    config: [
      "mcp_startup_grace_ms=0",
      ...fakeServer("one", {}, { required: true }),
      ...fakeServer("two", {}, { required: true }),
      ...fakeServer("slow", { latch: latch.path }),
      ...fakeServer("broken", { exitCode: 3, complaint: "no config" }),
    ],
  });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome.type).toBe("completed");
  expect(namesOf(world.model.requests[0])).toEqual(["mcp_call", "mcp_search", "mcp__one__echo", "mcp__two__echo"]);
  const states = listServerStates(events);
  expect(states).toEqual(expect.arrayContaining(["one: ready", "two: ready", "slow: delayed", "broken: failed"]));
  expect(states).not.toContain("slow: ready");
  expect(events).toContainEqual({
    type: "mcp.server_updated",
    server: "broken",
    state: expect.objectContaining({ type: "failed", required: false, stderr_tail: "no config" }),
  });
});

test("the prefix law holds through a late server and through changed lists", async () => {
  const latch = await createLatch();
  await using world = await openWorld(
    call("mcp__one__hide"),
    end,
    gatewayCall("slow", "echo", { said: "late" }),
    call("mcp__one__echo", { said: "gone" }),
    call("mcp__one__hide"),
  );
  await using thread = await world.openThread({
    config: [
      "mcp_startup_grace_ms=0",
      ...fakeServer("one", {}, { required: true, enabled_tools: ["echo", "hide"] }),
      ...fakeServer("slow", { latch: latch.path }),
    ],
  });
  const first = await runToEnd(thread, "Change your list");
  latch.release();
  const second = await runToEnd(thread, "Use the late one");
  expect([first.outcome.type, second.outcome.type]).toEqual(["completed", "completed"]);
  expect(listServerStates(first.events)).toContain("slow: delayed");
  expect(listServerStates([...first.events, ...second.events])).toEqual(
    expect.arrayContaining(["one: tools_changed", "slow: ready"]),
  );

  const [opening] = world.model.requests;
  for (const request of world.model.requests) expect(request.body).toMatchObject({ tools: opening?.body["tools"] });
  const added = world.model.requests.map((_, index) => newOf(world, index));
  // what the first server took away, the late one, and what the first gave back
  expect(added.filter((text) => text.includes("<mcp_tools>"))).toHaveLength(3);
  expect(added.join("")).toContain(String.raw`{\"said\":\"late\"}`);
  expect(world.model.violations).toEqual([]);
});

test("a late server is announced before the user's next words", async () => {
  const latch = await createLatch();
  await using world = await openWorld(end);
  const late = fakeServer("slow", { latch: latch.path });
  await using thread = await world.openThread({ config: ["mcp_startup_grace_ms=0", ...late] });
  await runToEnd(thread, "First");
  latch.release();
  const isAnnounced = (): boolean => newOf(world, world.model.requests.length - 1).includes("<mcp_tools>");
  while (!isAnnounced()) await runToEnd(thread, "Next");
  const announced = newOf(world, world.model.requests.length - 1);
  expect(announced.indexOf("mcp_tools")).toBeLessThan(announced.indexOf("Next"));
});

test("a thread without its required server does not start", async () => {
  const latch = await createLatch();
  await using world = await openWorld();
  const opening = world.openThread({
    config: [
      ...fakeServer("slow", { latch: latch.path }, { required: true }),
      ...fakeServer("broken", { exitCode: 3, complaint: "no config" }, { required: true }),
    ],
  });
  await expect(opening).rejects.toMatchObject({
    name: "HarnessError",
    code: "mcp_required_failed",
    message: expect.stringMatching(/"broken".*no config.*mcp_servers\.broken\.required = false/s),
    events: [
      { type: "mcp.server_updated", server: "slow", state: { type: "starting" } },
      { type: "mcp.server_updated", server: "broken", state: { type: "starting" } },
      { type: "mcp.server_updated", server: "broken", state: { type: "failed", required: true } },
    ],
  });
  expect(world.model.requests).toEqual([]);
});

test("the wait for servers ends with the signal", async () => {
  const latch = await createLatch();
  await using world = await openWorld();
  const abort = new AbortController();
  const opening = world.openThread({
    config: fakeServer("slow", { latch: latch.path }),
    ...waitForMcp,
    signal: abort.signal,
  });
  abort.abort();
  await expect(opening).rejects.toMatchObject({ name: "AbortError" });
});

test("whatever a server does to a call, the turn continues", async () => {
  const tricks = ["garbage", "shapeless", "wrong", "refuse", "deep", "everything", "flood", "die", "echo"];
  const tools = ["mcp__mute__silent", ...tricks.map((name) => `mcp__bad__${name}`)];
  await using world = await openWorld(...tools.map((name) => call(name, { megabytes: 20, word: "bye" })));
  const bad = fakeServer("bad", {}, { enabled_tools: tricks });
  const mute = fakeServer("mute", {}, { enabled_tools: ["silent"], tool_timeout_sec: 0.1 });
  await using thread = await world.openThread({ config: [...bad, ...mute], ...waitForMcp });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "End." });
  expect(world.model.requests).toHaveLength(tools.length + 1);
  expect(newOf(world, tools.indexOf("mcp__bad__die") + 1)).toContain("bye");
  expect(world.model.violations).toEqual([]);
});

test("a server gets what it needs and what its table names, and no credential of ours", async () => {
  await using world = await openWorld(call("mcp__one__environment"));
  const keys = { enabled_tools: ["environment"], env: { OWN: "own" }, env_vars: ["NAMED", "OPENAI_API_KEY"] };
  const env = { NAMED: "named", UNNAMED: "unnamed", OPENAI_API_KEY: "sk-of-the-harness" };
  await using thread = await world.openThread({ config: fakeServer("one", {}, keys), env, ...waitForMcp });
  const { events } = await runToEnd(thread, "Go");
  const output = newOf(world, 1);
  for (const seen of ["OWN", "NAMED", "PATH", "HOME"]) expect(output).toContain(String.raw`\"${seen}\":`);
  for (const hidden of ["UNNAMED", "OPENAI_API_KEY", "sk-of-the-harness"]) expect(output).not.toContain(hidden);
  expect(events).toContainEqual({
    type: "warning",
    message: expect.stringContaining("The MCP server one does not get OPENAI_API_KEY"),
  });
});

test.for([
  ["goes to the person", { type: "accepted", values: { colour: "blue" } }, "blue", "accepted"],
  ["is declined where what comes back is no answer", { colour: "blue" }, "decline", "invalid"],
  ["is declined where there is nobody", null, "decline", null],
] as const)("a server's question %s", async ([, answer, expected, told]) => {
  await using world = await openWorld(call("mcp__one__ask"));
  const config = fakeServer("one", {}, { enabled_tools: ["ask"] });
  const person: Person = { takes: ["server.form"], answer: async () => answer as never };
  await using thread = await world.openThread({ config, ...waitForMcp, ...(answer && { person }) });
  const { events } = await runToEnd(thread, "Ask");
  expect(newOf(world, 1)).toContain(expected);
  const place = { question: "server.form", item_id: null } as const;
  const trace = events.filter(({ type }) => type === "question.asked" || type === "question.answered");
  expect(trace).toEqual(
    told === null
      ? []
      : [
          { type: "question.asked", ...place, reason: "The MCP server one asks." },
          { type: "question.answered", ...place, answer: told },
        ],
  );
});

test("a server ends with its thread", async () => {
  await using world = await openWorld(call("mcp__one__identity"));
  const config = fakeServer("one", {}, { enabled_tools: ["identity"] });
  const thread = await world.openThread({ config, ...waitForMcp });
  await runToEnd(thread, "Go");
  const pid = Number(/\\"pid\\":(\d+)/.exec(newOf(world, 1))?.[1]);
  expect(isAlive(pid)).toBe(true);
  await thread[Symbol.asyncDispose]();
  expect(isAlive(pid)).toBe(false);
});

/** The dead may wait long to be reaped here. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("a thread without servers has no tool for them", async () => {
  await using world = await openWorld();
  await using thread = await world.openThread({ config: fakeServer("off", {}, { enabled: false }) });
  await runToEnd(thread, "Go");
  expect(namesOf(world.model.requests[0])).toEqual([]);
});
