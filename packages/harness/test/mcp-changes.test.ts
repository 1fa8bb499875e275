import { join } from "node:path";
import type { Journal, JournalEntry, Person, Question } from "@unroll/protocol";
import type { TurnItem } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { compact, listMissing, notes, openPrintingWorld, playWith, print, say, toPrompt } from "./compaction-world.ts";
import { swapServer } from "./mcp-servers.ts";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

const end: TurnItem = { text: "End." };
const call = (name: string, input: object = {}): TurnItem => ({ call: name, arguments: input });
const swap = call("mcp__swap__swap");

function openWorld(...items: readonly TurnItem[]): Promise<ThreadWorld> {
  return openThreadWorld({ script: { turns: items.map((item) => ({ items: [item] })), atEnd: "repeat-last" } });
}

interface SentItem {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly output?: string;
}

/** The items that a request adds to the one before it. */
function appendedTo(world: ThreadWorld, index: number): readonly SentItem[] {
  const input = (at: number): readonly SentItem[] =>
    (world.model.requests[at]?.body as { readonly input: readonly SentItem[] } | undefined)?.input ?? [];
  return input(index).slice(input(index - 1).length);
}

/** The messages on MCP tools among them. */
function newsOf(world: ThreadWorld, index: number): readonly string[] {
  const texts = appendedTo(world, index).flatMap(({ content }) => content?.map(({ text = "" }) => text) ?? []);
  return texts.filter((text) => text.startsWith("<mcp_tools>"));
}

function outputOf(world: ThreadWorld, index: number): string {
  return appendedTo(world, index)
    .flatMap(({ output }) => output ?? [])
    .join("\n");
}

function expectOneHead(world: ThreadWorld): void {
  const heads = world.model.requests.map(({ body }) => JSON.stringify([body["tools"], body["instructions"]]));
  expect(new Set(heads).size).toBe(1);
  expect(world.model.violations).toEqual([]);
}

/** A thread that each opening resumes, and the server beside it. */
function createKept(world: ThreadWorld): (settings?: ThreadSettings) => ReturnType<ThreadWorld["openThread"]> {
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  const config = swapServer(join(world.home, "swapped"));
  return (settings = {}) => world.openThread({ config, waitForMcp: true, ...settings, journal, entries: [...entries] });
}

const swapped = `<mcp_tools>
These tools of MCP servers no longer exist. Do not call them, even if your list of tools shows them.
{"name":"mcp__swap__old"}
These tools of MCP servers now take other arguments. Call them as before, with the input schema shown here.
{"name":"mcp__swap__same","description":"","input_schema":{"properties":{"b":{"type":"number"}},"type":"object","required":["b"]}}
These tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.
{"server":"swap","tool":"fresh","description":"Came later.","input_schema":{"properties":{"word":{"type":"string"}},"type":"object","required":["word"]}}
</mcp_tools>`;

const swappedBack = `<mcp_tools>
These tools of MCP servers no longer exist. Do not call them, even if your list of tools shows them.
{"name":"mcp__swap__fresh"}
These tools of MCP servers now take other arguments. Call them as before, with the input schema shown here.
{"name":"mcp__swap__same","description":"","input_schema":{"properties":{"a":{"type":"string"}},"type":"object","required":["a"]}}
These tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.
{"server":"swap","tool":"old","description":"Was there first.","input_schema":{"properties":{},"type":"object"}}
</mcp_tools>`;

const toNews = (text: string) => ({ type: "message", role: "developer", content: [{ type: "input_text", text }] });

test("a server swaps its tools during a call: the next request of the turn says so, and what is there by now runs by its name", async () => {
  await using world = await openWorld(
    swap,
    call("mcp__swap__fresh", { word: "now" }),
    call("mcp_call", { server: "swap", tool: "fresh", arguments: { word: "too" } }),
    call("mcp__swap__same", { b: 1 }),
    call("mcp__swap__old"),
    call("mcp__swap__never"),
    call("mcp__nobody__knows"),
    swap,
    end,
  );
  await using thread = await createKept(world)();
  const { events, outcome } = await runToEnd(thread, "Swap");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "End." });
  const news = world.model.requests.map((_, index) => newsOf(world, index));
  expect(news).toEqual([[], [swapped], [], [], [], [], [], [], [swappedBack]]);
  expect(outputOf(world, 2)).toContain("fresh ran with now");
  expect(outputOf(world, 3)).toContain("fresh ran with too");
  expect(outputOf(world, 4)).toContain(String.raw`{"b":1}`);
  expect(outputOf(world, 5)).toMatch(/it has no tool old; it has die, fresh, same, swap\b/);
  expect(outputOf(world, 6)).toBe(
    "unsupported call: mcp__swap__never\nIts server has no such tool. It has these, and each runs when you call it by its name: mcp__swap__die, mcp__swap__fresh, mcp__swap__same, mcp__swap__swap.",
  );
  expect(outputOf(world, 7)).toBe(
    "unsupported call: mcp__nobody__knows\nNo MCP server of that name is running. These are: swap.",
  );
  expect(events).toContainEqual({
    type: "mcp.server_updated",
    server: "swap",
    state: {
      type: "tools_changed",
      added: ["mcp__swap__fresh"],
      removed: ["mcp__swap__old"],
      changed: ["mcp__swap__same"],
    },
  });
  expectOneHead(world);
});

test("tools that change and change back between two requests are not announced", async () => {
  await using world = await openThreadWorld({
    script: { turns: [{ items: [swap, swap] }, { items: [end] }], atEnd: "repeat-last" },
  });
  await using thread = await createKept(world)();
  await runToEnd(thread, "Swap twice");
  expect(world.model.requests.map((_, index) => newsOf(world, index))).toEqual([[], []]);
});

test("tools that changed between two turns, or while the thread was closed, are announced once, before the next message", async () => {
  await using world = await openWorld(end);
  const open = createKept(world);
  // another thread, on a server of its own, swaps the tools while this one is closed
  const swapElsewhere = async (): Promise<void> => {
    await using other = await openWorld(swap, end);
    await using thread = await other.openThread({
      config: swapServer(join(world.home, "swapped")),
      waitForMcp: true,
    });
    await runToEnd(thread, "Swap");
  };
  await (async () => {
    await using thread = await open();
    await runToEnd(thread, "First");
  })();
  await swapElsewhere();
  await (async () => {
    await using thread = await open();
    await runToEnd(thread, "Second");
    await runToEnd(thread, "Third");
  })();
  await using same = await open();
  await runToEnd(same, "Fourth");
  expect(world.model.requests.map((_, index) => newsOf(world, index))).toEqual([[], [swapped], [], []]);
  const [, second] = world.model.requests.map((_, index) => JSON.stringify(appendedTo(world, index)));
  expect(second?.indexOf("mcp_tools")).toBeLessThan(second?.indexOf("Second") ?? 0);
  expectOneHead(world);
});

test("threads share a server: one that swaps the tools has the other told in its next turn", async () => {
  await using world = await openWorld(end, swap, end, end);
  await using harness = await world.openHarness({ config: swapServer(join(world.home, "swapped")) });
  await using one = await harness.openThread({ waitForMcp: true });
  await using two = await harness.openThread({ waitForMcp: true });
  await runToEnd(one, "First");
  await runToEnd(two, "Swap");
  await runToEnd(one, "Second");
  const texts = world.model.requests.map(({ body }) => JSON.stringify(body).split("<mcp_tools>").length - 1);
  expect(texts).toEqual([0, 0, 1, 1]);
  expect(world.model.violations).toEqual([]);
});

test("a thread whose servers were removed from the config learns that their tools are gone", async () => {
  await using world = await openWorld(end, call("mcp__swap__old"), end);
  const open = createKept(world);
  await (async () => {
    await using thread = await open();
    await runToEnd(thread, "First");
  })();
  for (const words of ["Second", "Third"]) {
    await using thread = await open({ config: [] });
    await runToEnd(thread, words);
  }
  const gone = ["die", "old", "same", "swap"].map((name) => `{"name":"mcp__swap__${name}"}`).join("\n");
  expect(world.model.requests.map((_, index) => newsOf(world, index))).toEqual([
    [],
    [
      `<mcp_tools>\nThese tools of MCP servers no longer exist. Do not call them, even if your list of tools shows them.\n${gone}\n</mcp_tools>`,
    ],
    [],
    [],
  ]);
  expect(outputOf(world, 2)).toContain("unsupported call: mcp__swap__old\nThe tools you can call are: ");
  expectOneHead(world);
});

test("a thread that started without servers gets their tools by the names that run, and no tool that its list lacks", async () => {
  await using world = await openWorld(end, call("mcp__swap__old"), end);
  const open = createKept(world);
  await (async () => {
    await using thread = await open({ config: [] });
    await runToEnd(thread, "First");
  })();
  await using thread = await open();
  await runToEnd(thread, "Second");
  const [, [news = ""] = []] = world.model.requests.map((_, index) => newsOf(world, index));
  expect(news).toContain('You can call each by its name all the same.\n{"name":"mcp__swap__die",');
  expect(news).not.toMatch(/mcp_call|mcp_search/);
  expect(outputOf(world, 2)).toContain("old ran");
  expectOneHead(world);
});

test("a tool that came since runs by its name where its server has ended: the call starts it again", async () => {
  await using world = await openWorld(swap, call("mcp__swap__die"), call("mcp__swap__fresh", { word: "again" }), end);
  await using thread = await createKept(world)();
  await runToEnd(thread, "Swap");
  expect(outputOf(world, 2)).toContain("it ended before it answered");
  expect(outputOf(world, 3)).toContain("fresh ran with again");
  expect(world.model.requests.flatMap((_, index) => newsOf(world, index))).toEqual([swapped]);
});

test("announcements of tools outlast a compaction", async () => {
  const turns = [{ items: [swap] }, print(30_000), print(30_000), say("Done."), { ...say("On."), newEpoch: true }];
  await using world = await openPrintingWorld({ respond: playWith(turns, [say(notes)]) });
  await using thread = await createKept(world)();
  await runToEnd(thread, "Swap");
  await compact(thread);
  await runToEnd(thread, "Go on");
  const prompt = toPrompt(world.model.requests.at(-1));
  expect(listMissing(prompt, [notes])).toEqual([]);
  expect(prompt.filter((item) => item.includes("<mcp_tools>"))).toEqual([JSON.stringify(toNews(swapped))]);
  expect(world.model.violations).toEqual([]);
});

test("a tool that came since passes the gate as any other, and its output is masked and cut", async () => {
  const secret = "dpl-9aQ/x+7Zk2!mN4";
  const asked: Question[] = [];
  const person: Person = {
    answer: async (question) => {
      asked.push(question);
      return asked.length === 1 ? { type: "denied", reason: "Not that one." } : { type: "approved.once" };
    },
  };
  await using world = await openWorld(
    swap,
    call("mcp__swap__fresh", { word: "no" }),
    call("mcp__swap__fresh", { word: secret }),
    call("mcp__swap__fresh", { word: "x".repeat(100_000) }),
    end,
  );
  const modes = ["fresh.approval_mode=prompt", "swap.approval_mode=approve"];
  const config = [
    ...swapServer(join(world.home, "swapped")),
    ...modes.map((mode) => `mcp_servers.swap.tools.${mode}`),
    "tool_output_token_limit=1000",
    "approval_policy=on-request",
  ];
  await using thread = await world.openThread({ config, waitForMcp: true, env: { DEPLOY_TOKEN: secret }, person });
  const { events } = await runToEnd(thread, "Ask");
  const question = { type: "tool.approval", server: "swap", tool: "fresh" };
  expect(asked).toMatchObject([question, question, question]);
  expect(outputOf(world, 2)).toContain("Not that one.");
  expect(outputOf(world, 3)).toBe("fresh ran with [masked-secret:DEPLOY_TOKEN]");
  expect(outputOf(world, 4).length).toBeLessThan(5_000);
  const shown = events.flatMap((event) =>
    event.type === "item.completed" && event.item.type === "mcp_tool_call" ? [event.item] : [],
  );
  expect(shown.map(({ tool, status }) => `${tool}: ${status}`)).toEqual([
    "swap: completed",
    "fresh: declined",
    "fresh: completed",
    "fresh: completed",
  ]);
});
