import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openPromptFiles } from "@unroll/harness";
import { surveyRoles } from "@unroll/prompt";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { agentToolNames, builtinToolNames } from "@unroll/tools";
import { expect, test } from "vitest";
import { runToEnd, type ThreadWorld } from "../thread-world.ts";
import { callsIn, config, openStore, openWorld, outputsOf, say, start, toolsOf } from "./agent-world.ts";

const role = (name: string, fields: string): string =>
  `name = "${name}"\ndescription = "Does ${name}."\ndeveloper_instructions = "You are the ${name}."\n${fields}`;

const patch: Turn = {
  items: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: made\n+x\n*** End Patch" }],
};
const touch: Turn = { items: [{ call: "exec_command", arguments: { cmd: "touch touched", login: false } }] };

async function writeHome({ home }: ThreadWorld, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
}

function requestsOf({ model }: ThreadWorld, task: string): readonly CapturedRequest[] {
  return model.requests.filter(({ raw }) => raw.toString().includes(`"text":"${task}"`));
}

function roleMemberOf(request: CapturedRequest | undefined): string {
  const tools = request?.body["tools"] as readonly SentTool[] | undefined;
  return tools?.find(({ name }) => name === "spawn_agent")?.parameters?.properties?.["agent_type"]?.description ?? "";
}

interface SentTool {
  readonly name?: string;
  readonly parameters?: { readonly properties?: Readonly<Record<string, { readonly description?: string }>> };
}

test("the tool lists the roles of files and the built-in ones, and a sub-agent has what its role says", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "go", agent_type: "digger" }) : say("End.")),
    go: (_, step) => (step === 0 ? patch : say("Went.")),
  });
  const files = {
    ".codex/agents/digger.toml": role(
      "digger",
      'sandbox_mode = "read-only"\nmodel_reasoning_effort = "low"\nweb_search = "disabled"',
    ),
    ".claude/agents/lister.md": "---\nname: lister\ndescription: Lists.\ntools: Read\n---\nList.",
  };
  await writeHome(world, files);
  await using thread = await world.openThread({ config: [...config, 'developer_instructions="Be brief."'] });
  const { events } = await runToEnd(thread, "Ask");
  expect(
    roleMemberOf(world.model.requests[0])
      .split("\n")
      .map((line) => line.split(":")[0]),
  ).toEqual(["The role that it has. Default", "- digger", "- lister", "- explorer", "- worker", "- reviewer"]);
  expect(callsIn(events)).toMatchObject([{ status: "completed", agent: { name: "go", role: "digger" } }]);
  const [first, second] = requestsOf(world, "go");
  expect(first?.raw.toString()).toContain("Be brief.\\n\\nYou are the digger.");
  expect(first?.body["reasoning"]).toMatchObject({ effort: "low" });
  expect(toolsOf(first)).not.toContain("web_search");
  expect(outputsOf(second)).toEqual([expect.stringContaining("read-only")]);
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("a role never gives more than its parent has, at each moment, and a task can only tighten it", async () => {
  await using world = await openWorld({
    Ask: (_, step) =>
      step === 0
        ? start(
            { message: "wide", agent_type: "wide" },
            { message: "wider", agent_type: "reader", sandbox: "danger-full-access" },
            { message: "few", agent_type: "few", tools: ["apply_patch", "exec_command"] },
          )
        : say("End."),
    wide: (_, step) => (step === 0 ? touch : say("Wide.")),
    wider: (_, step) => (step === 0 ? touch : say("Wider.")),
    few: () => say("Few."),
  });
  const claude = (name: string, fields: string): string =>
    `---\nname: ${name}\ndescription: Does it.\n${fields}\n---\nDo it.`;
  const files = {
    ".codex/agents/wide.toml": role("wide", 'sandbox_mode = "danger-full-access"\napproval_policy = "never"'),
    ".claude/agents/reader.md": claude("reader", "tools: Read"),
    ".claude/agents/few.md": claude("few", "tools: Bash, Edit, WebSearch\ndisallowedTools: Edit"),
  };
  await writeHome(world, files);
  await using thread = await world.openThread({
    config,
    permissions: ["sandbox_mode=read-only", "approval_policy=never"],
  });
  const { events } = await runToEnd(thread, "Ask");
  const roles = callsIn(events).flatMap(({ agent }) => agent?.role ?? []);
  expect(roles.toSorted()).toEqual(["few", "reader", "wide"]);
  expect(existsSync(join(world.work, "touched"))).toBe(false);
  expect(toolsOf(requestsOf(world, "few")[0])).toEqual(["exec_command"]);
});

test("a role that is not known starts nothing, and the answer names those that are", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "go", agent_type: "cook" }) : say("End.")),
  });
  await using thread = await world.openThread({ config });
  const { events } = await runToEnd(thread, "Ask");
  expect(callsIn(events)[0]?.reason).toBe(
    "It was not started. There is no role cook. There are: explorer, worker, reviewer.",
  );
});

test("the roles of a project count only if the project is trusted", async () => {
  await using world = await openWorld(
    { Ask: () => say("Hi.") },
    { files: { ".codex/agents/own.toml": role("own", "") } },
  );
  for (const [trust, isListed] of [
    ["untrusted", false],
    ["trusted", true],
  ] as const) {
    const trusted = `projects."${world.work}".trust_level="${trust}"`;
    await using thread = await world.openThread({ config: [...config, trusted] });
    await runToEnd(thread, "Ask");
    expect(roleMemberOf(world.model.requests.at(-1)).includes("- own: Does own.")).toBe(isListed);
  }
});

test("a role of a program counts before others, switches the tools on, and limits how many requests a sub-agent makes", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "go", agent_type: "worker" }) : say("End.")),
    go: () => touch,
  });
  const agents = [{ name: "worker", description: "Works.", instructions: "Work.", maxTurns: 2 }];
  await using thread = await world.openThread({ agents });
  const { events } = await runToEnd(thread, "Ask");
  expect(roleMemberOf(world.model.requests[0])).toContain("- worker: Works.");
  expect(requestsOf(world, "go")).toHaveLength(2);
  expect(callsIn(events)[0]?.reason).toBe(
    "The budget of the sub-agent is used up (max_turns): 2 of 2 requests to the model were made. Raise the limit of its role, and resume the thread.",
  );
  await expect(
    world.openThread({ agents: [{ name: "x", description: "y", sandbox: "read-only" } as never] }),
  ).rejects.toThrow("openThread, agents does not know sandbox: did you mean sandboxMode?");
});

test("a sub-agent that continues keeps the role that it started with, also when its file says something else by now", async () => {
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 0) return start({ message: "go", agent_type: "digger" });
      if (step === 2) return { items: [{ call: "send_message", arguments: { target: "go", message: "On." } }] };
      return step === 3 ? { items: [{ call: "wait_agent", arguments: {} }] } : say("End.");
    },
    go: (_, step) => (step === 1 ? touch : say("Went.")),
  });
  const path = ".codex/agents/digger.toml";
  await writeHome(world, { [path]: role("digger", 'sandbox_mode = "read-only"\napproval_policy = "never"') });
  const store = openStore(world);
  const first = await world.openThread({ config, store });
  await runToEnd(first, "Ask");
  await first[Symbol.asyncDispose]();
  await writeHome(world, { [path]: role("digger", "").replace("You are", "You were") });
  await using again = await world.openThread({ config, store, resume: first.id });
  await runToEnd(again, "Ask");
  const requests = requestsOf(world, "go");
  expect(requests).toHaveLength(3);
  expect(
    requests
      .at(-1)
      ?.raw.toString()
      .match(/You (?:are|were) the digger/g),
  ).toEqual(["You are the digger"]);
  expect(existsSync(join(world.work, "touched"))).toBe(false);
  expect(world.model.violations).toEqual([]);
});

test("a file can name each tool that a thread can have", async () => {
  await using world = await openWorld({});
  const tools = [...builtinToolNames, ...Object.values(agentToolNames).flat()];
  const text = `---\nname: all\ndescription: Has all.\ntools: ${tools.join(", ")}\n---\nDo it.`;
  await writeHome(world, { ".claude/agents/all.md": text });
  const settings = await world.loadConfig(config);
  const { home: homeDirectory } = world;
  const context = { ...settings, homeDirectory, skillPolicy: { ...settings.skills, projectTrust: null } };
  const { roles, faults } = await surveyRoles(context, await openPromptFiles(settings));
  expect(faults).toEqual([]);
  expect(roles.find(({ name }) => name === "all")?.tools).toEqual(tools);
});

test("siblings of one role share one cache key, whatever their tasks", async () => {
  await using world = await openWorld({
    Ask: (_, step) =>
      step === 0 ? start({ message: "a", agent_type: "worker" }, { message: "b", agent_type: "worker" }) : say("End."),
    a: () => say("A."),
    b: () => say("B."),
  });
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Ask");
  const [own, a, b] = ["Ask", "a", "b"].map((task) => requestsOf(world, task)[0]?.body["prompt_cache_key"]);
  expect(a).toBe(b);
  expect(a).not.toBe(own);
});

test("a fork shares prefix and cache key with its thread, and its sub-agents share their key with those of the thread", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "a", agent_type: "worker" }) : say("End.")),
    a: () => say("A."),
  });
  await using harness = await world.openHarness({ config, store: openStore(world) });
  await using thread = await harness.openThread();
  await runToEnd(thread, "Ask");
  await using fork = await harness.forkThread(thread.id);
  await runToEnd(fork, "Again");
  const [first, last, forked] = [
    requestsOf(world, "Ask")[0],
    requestsOf(world, "Ask")[1],
    requestsOf(world, "Again")[0],
  ];
  const end = last?.raw.lastIndexOf('],"reasoning"') ?? 0;
  expect(end).toBeGreaterThan(first?.raw.length ?? Infinity);
  expect(forked?.raw.subarray(0, end).equals(last?.raw.subarray(0, end) ?? Buffer.of())).toBe(true);
  expect(forked?.body["prompt_cache_key"]).toBe(thread.id);
  const [a, other, ...more] = requestsOf(world, "a").map(({ body, headers }) => [
    body["prompt_cache_key"],
    headers["thread-id"],
  ]);
  expect([a?.[0], a?.[1] === other?.[1], more]).toEqual([other?.[0], false, []]);
});

test.for([
  ["a program that can load it", "gpt-5-mini"],
  ["one that cannot", "gpt-5-codex"],
] as const)("explorer has the small model with %s", async ([who, model]) => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "look", agent_type: "explorer" }) : say("End.")),
    look: (_, step) => (step === 0 ? touch : say("Seen.")),
  });
  const small = [...config, "agents.small_model=gpt-5-mini"];
  const loadAgentModel = (wanted: { readonly model: string }) => world.loadConfig([...small, `model=${wanted.model}`]);
  await using thread = await world.openThread({ config: small, ...(who.endsWith("cannot") ? {} : { loadAgentModel }) });
  await runToEnd(thread, "Ask");
  expect(requestsOf(world, "look").map(({ body }) => body["model"])).toEqual([model, model]);
  expect(existsSync(join(world.work, "touched"))).toBe(false);
});
