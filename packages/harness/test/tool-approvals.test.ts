import type { ApprovalDecision, Journal, JournalEntry, Person, Question } from "@unroll/protocol";
import type { CallableTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import { fakeServer } from "./mcp-servers.ts";
import { openThreadWorld, runToEnd, type ThreadSettings } from "./thread-world.ts";

interface Asked extends Person {
  readonly questions: readonly Question[];
}

/** Says the same to each question. */
function answer(decision: ApprovalDecision): Asked {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question) {
      questions.push(question);
      return decision;
    },
  };
}

/** A tool of the program, which counts its runs. */
function createCounter(approval: "run" | "ask"): { readonly tool: CallableTool; readonly runs: () => number } {
  let runs = 0;
  const tool: CallableTool = {
    type: "callable",
    name: "count",
    spec: { type: "function", name: "count", description: "", strict: false, parameters: { type: "object" } },
    prepare: () => ({
      type: "call.ready",
      concurrency: "exclusive",
      plan: async () => ({
        type: "call.planned",
        gated: { type: "tool", tool: "count", arguments: { by: 1 }, approval },
        run: async () => ({ answer: String((runs += 1)) }),
      }),
    }),
  };
  return { tool, runs: () => runs };
}

/** The outputs of the calls, each in a response of its own. */
async function callAll(
  calls: readonly { readonly call: string; readonly arguments: unknown; readonly call_id?: string }[],
  settings: ThreadSettings,
): Promise<readonly unknown[]> {
  const turns = [...calls.map((call) => ({ items: [call] })), { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread(settings);
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect(world.model.violations).toEqual([]);
  return (world.model.requests.at(-1)?.input ?? []).flatMap((item) => ("output" in item ? [item["output"]] : []));
}

describe("a tool of the program", () => {
  const count = { call: "count", arguments: {} };
  const onRequest = ["approval_policy=on-request"];

  test("that asks is asked about, once for the thread if you approve it for the thread", async () => {
    const counter = createCounter("ask");
    const person = answer({ type: "approved.thread" });
    expect(await callAll([count, count], { tools: [counter.tool], person, config: onRequest })).toEqual(["1", "2"]);
    expect(person.questions).toEqual([
      {
        type: "tool.approval",
        threadId: expect.any(String),
        itemId: "item_0",
        server: null,
        tool: "count",
        arguments: { by: 1 },
        askedBy: "tool count",
        reason: "The tool count asks before it runs.",
        isKeepable: true,
      },
    ]);
  });

  test.for([
    [
      "the person says no",
      answer({ type: "denied", reason: "Not today." }),
      onRequest,
      "The user said no, and: Not today.",
    ],
    ["nobody is there", null, onRequest, "Nobody is here to approve it"],
    [
      "the policy never asks",
      answer({ type: "approved.once" }),
      ["approval_policy=never"],
      "Nobody is here to approve it",
    ],
  ] as const)("that asks does not run where %s", async ([, person, config, reason]) => {
    const counter = createCounter("ask");
    const outputs = await callAll([count], { tools: [counter.tool], config, ...(person && { person }) });
    expect(outputs).toEqual([expect.stringMatching(new RegExp(`^The call was not run: .*${reason}`))]);
    expect(counter.runs()).toBe(0);
  });

  test("that asks for nothing runs under every policy", async () => {
    const counter = createCounter("run");
    const person = answer({ type: "denied", reason: null });
    for (const policy of ["untrusted", "on-failure", "on-request", "never"])
      await callAll([count], { tools: [counter.tool], person, config: [`approval_policy=${policy}`] });
    expect(counter.runs()).toBe(4);
    expect(person.questions).toEqual([]);
  });

  test("whose server restarts its call numbers runs once for each, under ids of their own", async () => {
    const counter = createCounter("run");
    const again = { ...count, call_id: "call_1" };
    expect(await callAll([again, again, again], { tools: [counter.tool] })).toEqual(["1", "2", "3"]);
  });
});

describe("a tool of an MCP server", () => {
  const look = { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };
  const feed = { call: "mcp__zoo__echo", arguments: { at: "lion" } };
  const read = { call: "mcp__zoo__look", arguments: {} };
  const onRequest = "approval_policy=on-request";
  const never = "approval_policy=never";

  /** Calls a tool that may change something, then one that only reads. */
  async function visit(
    config: readonly string[],
    person: Asked | null,
  ): Promise<{ readonly asked: readonly string[]; readonly ran: readonly boolean[] }> {
    const server = fakeServer("zoo", { tools: [look] }, { enabled_tools: ["echo", "look"] });
    const settings = { config: [...server, ...config], waitForMcp: true, ...(person && { person }) };
    const outputs = await callAll([feed, read], settings);
    return {
      asked: (person?.questions ?? []).map((question) => (question.type === "tool.approval" ? question.tool : "?")),
      ran: outputs.map((output) => !String(output).startsWith("The call was not run: ")),
    };
  }

  const yes = (): Asked => answer({ type: "approved.once" });
  const mode = (name: string): string => `mcp_servers.zoo.default_tools_approval_mode=${name}`;

  const granular = (kind: string): string => `approval_policy={ granular = { ${kind} = true } }`;

  test.for([
    ["auto, attended", [onRequest], yes(), { asked: ["echo"], ran: [true, true] }],
    ["auto, unattended", [onRequest], null, { asked: [], ran: [true, true] }],
    ["auto, where the policy never asks", [never], yes(), { asked: [], ran: [true, true] }],
    ["prompt, attended", [onRequest, mode("prompt")], yes(), { asked: ["echo", "look"], ran: [true, true] }],
    ["prompt, unattended", [onRequest, mode("prompt")], null, { asked: [], ran: [false, false] }],
    ["prompt, where the policy never asks", [never, mode("prompt")], yes(), { asked: [], ran: [false, false] }],
    ["writes, attended", [onRequest, mode("writes")], yes(), { asked: ["echo"], ran: [true, true] }],
    ["writes, unattended", [onRequest, mode("writes")], null, { asked: [], ran: [false, true] }],
    ["approve", [onRequest, mode("approve")], yes(), { asked: [], ran: [true, true] }],
    [
      "a granular policy that asks of tools",
      [granular("mcp_elicitations")],
      yes(),
      { asked: ["echo"], ran: [true, true] },
    ],
    ["a granular policy that does not", [granular("sandbox_approval")], yes(), { asked: [], ran: [false, true] }],
    [
      "prompt, with another mode for the tool",
      [onRequest, mode("prompt"), "mcp_servers.zoo.tools.echo.approval_mode=approve"],
      yes(),
      { asked: ["look"], ran: [true, true] },
    ],
  ] as const)("under %s", async ([, config, person, expected]) => {
    expect(await visit(config, person)).toEqual(expected);
  });

  test("is asked about once a thread where the person says so, however it is called, but each time under prompt", async () => {
    const gateway = { call: "mcp_call", arguments: { server: "zoo", tool: "echo", arguments: {} } };
    for (const [config, asked, isKeepable] of [
      [[onRequest], 1, true],
      [[onRequest, mode("prompt")], 2, false],
    ] as const) {
      const person = answer({ type: "approved.thread" });
      await callAll([feed, gateway], { config: [...fakeServer("zoo"), ...config], person, waitForMcp: true });
      expect(person.questions).toHaveLength(asked);
      expect(person.questions[0]).toMatchObject({ server: "zoo", tool: "echo", arguments: { at: "lion" }, isKeepable });
    }
  });

  test.for([
    ["is asked about", "untrusted", ["sandbox_approval"], ["echo"], true],
    ["runs unasked where the policy asks nothing", "never", ["mcp_elicitations"], [], true],
  ] as const)("%s where %s takes the place of a granular policy", async ([, policy, [kind], asked, runs]) => {
    const turns = [{ items: [feed] }, { items: [{ text: "Done." }] }];
    await using world = await openThreadWorld({ script: { turns } });
    const person = yes();
    await using thread = await world.openThread({
      config: [...fakeServer("zoo"), granular(kind)],
      person,
      waitForMcp: true,
    });
    expect(thread.change({ approvalPolicy: policy }).approvalQuestions).toBeNull();
    await runToEnd(thread, "Go");
    expect(person.questions.map((question) => question.type === "tool.approval" && question.tool)).toEqual(asked);
    expect(JSON.stringify(world.model.requests.at(-1)?.input.at(-1)).includes("The call was not run: ")).toBe(!runs);
  });

  test("a granular policy is given back as it was, with the forms of servers", async () => {
    const turns = ["mcp__zoo__ask", "mcp__zoo__ask"].flatMap((call) => [
      { items: [{ call, arguments: {} }] },
      { items: [{ text: "Done." }] },
    ]);
    await using world = await openThreadWorld({ script: { turns } });
    const asked: string[] = [];
    const person: Person = {
      async answer({ type }) {
        asked.push(type);
        return type === "server.form" ? { type: "declined" } : { type: "approved.once" };
      },
    };
    const config = [...fakeServer("zoo", {}, { enabled_tools: ["ask"] }), mode("approve"), granular("rules")];
    await using thread = await world.openThread({ config, person, waitForMcp: true });
    const approvalQuestions = { rules: true, mcp: false };
    expect(thread.change({ approvalPolicy: "on-request" }).approvalQuestions).toBeNull();
    await runToEnd(thread, "Ask");
    expect(thread.change({ approvalPolicy: "never", approvalQuestions })).toMatchObject({ approvalQuestions });
    await runToEnd(thread, "Ask again");
    expect(asked).toEqual(["server.form"]);
  });

  test("only reads while its server says so, also where the thread listed it before", async () => {
    const entries: JournalEntry[] = [];
    const journal: Journal = { record: (entry) => void entries.push(entry), settled: async () => {} };
    const open = async (tool: object, prior: readonly JournalEntry[]): Promise<readonly unknown[]> => {
      const server = fakeServer("zoo", { tools: [tool] }, { enabled_tools: ["look"] });
      const config = [...server, onRequest, mode("writes")];
      return callAll([read], { config, waitForMcp: true, journal, ...(prior.length > 0 && { entries: prior }) });
    };
    const { annotations: _, ...changing } = look;
    expect(await open(look, [])).toEqual(["{}"]);
    expect(await open(changing, [...entries])).toEqual(["{}", expect.stringMatching(/^The call was not run: /)]);
  });

  test.for([
    ["has none", []],
    ["has another", [...fakeServer("zoo"), mode("approve")]],
  ] as const)("is asked about as its harness says, where the config of the thread %s", async ([, own]) => {
    const turns = [{ items: [feed] }, { items: [{ text: "Done." }] }];
    await using world = await openThreadWorld({ script: { turns } });
    await using harness = await world.openHarness({ config: [...fakeServer("zoo"), onRequest, mode("prompt")] });
    await using thread = await harness.openThread({ config: await world.loadConfig(own), waitForMcp: true });
    await runToEnd(thread, "Go");
    expect(world.model.requests.at(-1)?.input.at(-1)).toMatchObject({
      output: expect.stringMatching(/^The call was not run: /) as string,
    });
  });
});

test("under never there are no approval questions, but the model's questions and servers' forms reach a client that accepts them, and the model knows it", async () => {
  const options = ["Red", "Blue"].map((label) => ({ label, description: "" }));
  const questions = [{ id: "colour", header: "Colour", question: "Which one?", options }];
  const calls = [
    { call: "request_user_input", arguments: { questions } },
    { call: "mcp__zoo__ask", arguments: {} },
    { call: "count", arguments: {} },
  ];
  const turns = [...calls.map((call) => ({ items: [call] })), { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  const asked: string[] = [];
  const person: Person = {
    async answer({ type }) {
      asked.push(type);
      return type === "server.form"
        ? { type: "accepted", values: { colour: "blue" } }
        : { type: "answered", answers: { colour: ["Red"] } };
    },
  };
  const counter = createCounter("ask");
  await using thread = await world.openThread({
    config: [...fakeServer("zoo", {}, { enabled_tools: ["ask"] }), "approval_policy=never"],
    tools: [counter.tool],
    person,
    waitForMcp: true,
  });
  await runToEnd(thread, "Go");
  const opening = JSON.stringify(world.model.requests[0]?.body);
  expect(opening).toContain('"name":"request_user_input"');
  expect(opening).toContain("Nobody can be asked to approve anything while you work.");
  expect(opening).not.toContain("Nobody can answer");
  const outputs = (world.model.requests.at(-1)?.input ?? []).flatMap((item) =>
    "output" in item ? [JSON.stringify(item["output"])] : [],
  );
  expect(outputs).toEqual([
    expect.stringContaining("Red"),
    expect.stringContaining("blue"),
    expect.stringMatching(/^"The call was not run: /),
  ]);
  expect([asked, counter.runs()]).toEqual([["model.questions", "server.form"], 0]);
});
