import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JournalEntry, ThreadEvent } from "@unroll/protocol";
import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  type ScriptTurn,
} from "@unroll/scripted-model";
import { defineCustomTool } from "@unroll/tools";
import sharp from "sharp";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "../thread-world.ts";

const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n";
const work: ScriptTurn = {
  items: [
    { reasoning: "Hm." },
    { text: "I look." },
    { custom: "apply_patch", input: patch },
    { call: "update_plan", arguments: { plan: [] } },
  ],
};
const plan: ScriptTurn = { items: [{ text: "I plan." }, { call: "update_plan", arguments: { plan: [] } }] };
const done: ScriptTurn = { items: [{ reasoning: "So." }, { text: "Done." }] };
const first: ScriptTurn = { ...done, newEpoch: true };

/** A server of whose provider somebody said that it takes all that OpenAI's does. */
function misdeclare(guise: Guise): Guise {
  return { ...guise, findUnsupported: () => [] };
}

const costs =
  / Retrying .+\. The whole thread is resent uncached, about [\d,]+ tokens\. New threads with m do the same, until/;

/** A journal that each opening resumes. */
function createKept() {
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: () => Promise.resolve() };
  const open = (world: ThreadWorld, settings: ThreadSettings = {}) =>
    world.openThread({
      config: ["model=m", "developer_instructions=Be brief."],
      ...settings,
      journal,
      entries: [...entries],
    });
  return { entries, open };
}

function listEpochs(events: readonly ThreadEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "epoch.opened" ? [event.cause] : []));
}

function listWarnings(events: readonly ThreadEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "warning" && /Retrying|cache does not hold/.test(event.message) ? [event.message] : [],
  );
}

/** The tools and the items of the last request. */
function readLast({ model }: ThreadWorld): { readonly tools: readonly Spec[]; readonly input: readonly object[] } {
  const body = model.requests.at(-1)?.body ?? {};
  return body as ReturnType<typeof readLast>;
}

interface Spec {
  readonly type: string;
  readonly name: string;
}

const servers: readonly (readonly [string, () => Guise, readonly string[]])[] = [
  [
    "llama.cpp with Qwen's template",
    () => createLlamaServerGuise({ model: "m", template: "system_first" }),
    ["the server does not take items of all kinds", "the server takes one system text, at the beginning"],
  ],
  [
    "llama.cpp with Mistral's template",
    () => createLlamaServerGuise({ model: "m", template: "alternating" }),
    ["the server does not take items of all kinds", "the server wants user and assistant in turn"],
  ],
  [
    "vLLM with Qwen's template",
    () => createVllmGuise({ models: ["m"], template: "system_first" }),
    ["the server does not take items of all kinds", "the server takes one system text, at the beginning"],
  ],
  [
    "Ollama",
    () => createOllamaGuise({ version: "0.13.4", models: ["m"] }),
    ["the server does not take items of all kinds"],
  ],
  ["LM Studio", () => createLmStudioGuise({ models: ["m"], knowsResponses: true }), []],
];

test.for(servers)(
  "a saved thread resumes at %s, which refuses its form, keeps the new form, and spares new threads the refusals",
  async ([, guise, causes]) => {
    await using before = await openThreadWorld({ script: { turns: [work, done] } });
    await using world = await openThreadWorld({
      script: { turns: [plan, done, done, plan, done] },
      guise: misdeclare(guise()),
    });
    const kept = createKept();
    {
      await using thread = await kept.open(before);
      thread.change({ sandboxMode: "read-only" });
      expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
    }
    const events: ThreadEvent[] = [];
    for (const input of ["On", "And on"]) {
      await using thread = await kept.open(world);
      const ran = await runToEnd(thread, input);
      expect(ran.outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
      events.push(...ran.events);
    }
    expect(listEpochs(events)).toEqual(expect.arrayContaining([...causes]));
    expect(world.model.requests.at(-1)?.input.length).toBeGreaterThan(5);
    // the warning before the second request: the reason, the cost, and that the whole thread is resent
    const told = events.flatMap(({ type }, at) => (type === "epoch.opened" ? [events[at - 1]] : []));
    expect(told.filter((event) => event?.type === "warning" && costs.test(event.message))).toHaveLength(
      listEpochs(events).length,
    );
    expect(listWarnings(events)).toHaveLength(listEpochs(events).length);
    await using thread = await world.openThread({ config: ["model=m", "developer_instructions=Be brief."] });
    const spared = await runToEnd(thread, "Go");
    expect(spared.outcome.type).toBe("completed");
    expect([...listEpochs(spared.events), ...listWarnings(spared.events)]).toEqual([]);
    expect(world.model.violations).toEqual([]);
  },
);

/** Refuses members of a request as servers word it, whatever their value, or only with this one. */
function refuseMembers(...refused: readonly (readonly [path: string, value?: unknown])[]): Guise {
  return {
    checks: { fields: false },
    answer: () => null,
    findUnsupported: () => [],
    refuse({ fields }) {
      const found = refused.find(([path, value]) => {
        const own = path.split(".").reduce<unknown>((at, name) => Object(at)[name], fields);
        return own !== undefined && (value === undefined || own === value);
      });
      if (found === undefined) return null;
      const body = { detail: `Unsupported parameter: ${found[0]}` };
      return { answer: { status: 400, body }, endsEpoch: false };
    },
  };
}

test("members that a server does not know are left out one by one, without an epoch, and in new threads from the start", async () => {
  const guise = refuseMembers(["parallel_tool_calls"], ["store"], ["text.verbosity"], ["reasoning.effort", "high"]);
  await using world = await openThreadWorld({ script: { turns: [plan, done, done, done] }, guise });
  const config = ["model=gpt-5", "model_reasoning_effort=high", "model_verbosity=low"];
  await using thread = await world.openThread({ config });
  const ran = await runToEnd(thread, "Go");
  expect(ran.outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(listEpochs(ran.events)).toEqual([]);
  const ways = listWarnings(ran.events).map((message) => /Retrying without the member (.+?)\. /.exec(message)?.[1]);
  expect(ways).toEqual(["parallel_tool_calls", "store", "text.verbosity", "reasoning.effort"]);
  await using next = await world.openThread({ config });
  expect(listWarnings((await runToEnd(next, "Go")).events)).toEqual([]);
  // another value of it was not refused
  await using lower = await world.openThread({ config: ["model=gpt-5", "model_reasoning_effort=low"] });
  expect(listWarnings((await runToEnd(lower, "Go")).events)).toEqual([]);
  const asked = world.model.requests.slice(-4).map(({ body }) => body);
  for (const body of asked) expect(Object.keys(body)).not.toContain("parallel_tool_calls");
  expect(asked.map(({ text = null, reasoning = null, store = null }) => ({ text, reasoning, store }))).toEqual([
    ...[1, 2, 3].map(() => ({ text: null, reasoning: { summary: "auto" }, store: null })),
    { text: null, reasoning: { effort: "low", summary: "auto" }, store: null },
  ]);
  expect(world.model.violations).toEqual([]);
});

test("a saved thread is spared what another one was refused, unless the model reads it", async () => {
  await using before = await openThreadWorld({ script: { turns: [done] } });
  const guise = refuseMembers(["prompt_cache_key"], ["tool_choice"]);
  await using world = await openThreadWorld({ script: { turns: [done, first] }, guise });
  const kept = createKept();
  {
    await using thread = await kept.open(before);
    await runToEnd(thread, "Go");
  }
  await using other = await world.openThread({ config: ["model=m"] });
  expect(listWarnings((await runToEnd(other, "Go")).events)).toHaveLength(2);
  await using thread = await kept.open(world);
  const { events, outcome } = await runToEnd(thread, "On");
  expect(outcome.type).toBe("completed");
  expect(
    events.flatMap((event) => (event.type === "warning" && event.message.includes("Retrying") ? [event] : [])),
  ).toEqual([]);
});

/** Supports only function tools, and refuses others with such a message. */
function refuseTools(say: (place: number, type: string) => object): Guise {
  return {
    checks: { fields: false },
    answer: () => null,
    findUnsupported: () => [],
    refuse({ fields: { tools } }) {
      const listed = tools as readonly { readonly type: string }[];
      const place = listed.findIndex(({ type }) => type !== "function");
      return place === -1
        ? null
        : { answer: { status: 400, body: say(place, listed[place]?.type ?? "") }, endsEpoch: true };
    },
  };
}

test.for<readonly [string, (place: number, type: string) => object]>([
  ["by their type", (_, type) => ({ error: { message: `Unsupported tool type: ${type}` } })],
  [
    "by their place",
    (place) => ({
      error: {
        message: "Invalid discriminator value.",
        param: `tools.${place}.type`,
        code: "invalid_union_discriminator",
      },
    }),
  ],
])("tools that are refused %s become functions or are gone, and their calls run", async ([, say]) => {
  const call: ScriptTurn = {
    items: [
      { call: "apply_patch", arguments: { input: patch } },
      { call: "shout", arguments: { input: "hey" } },
    ],
  };
  await using before = await openThreadWorld({ script: { turns: [work, done] } });
  await using world = await openThreadWorld({ script: { turns: [call, done, done] }, guise: refuseTools(say) });
  const heard: string[] = [];
  const shout = defineCustomTool({
    name: "shout",
    description: "Says it loudly.",
    grammar: "start: /.+/",
    run: async (text) => {
      heard.push(text);
      return text.toUpperCase();
    },
  });
  const settings = { config: ["model=m", "web_search=live"], tools: [shout] };
  const kept = createKept();
  {
    await using thread = await kept.open(before, settings);
    await runToEnd(thread, "Go");
  }
  for (const input of ["On", "And on"]) {
    await using thread = await kept.open(world, settings);
    const { events, outcome } = await runToEnd(thread, input);
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(listWarnings(events).length > 0).toBe(input === "On");
  }
  expect(heard).toEqual(["hey"]);
  const { tools, input } = readLast(world);
  expect(tools.map(({ type }) => type)).toEqual(tools.map(() => "function"));
  expect(tools).toContainEqual(
    expect.objectContaining({ name: "shout", parameters: expect.objectContaining({ required: ["input"] }) }),
  );
  expect(tools).toContainEqual(
    expect.objectContaining({ name: "apply_patch", description: expect.stringContaining("*** Begin Patch") }),
  );
  expect(input).toContainEqual(expect.objectContaining({ type: "function_call_output", output: "HEY" }));
  expect(world.model.violations).toEqual([]);
});

test("a program's own freeform tool is a function for a server that knows no other", async () => {
  const call: ScriptTurn = { items: [{ call: "shout", arguments: { input: "hey" } }] };
  await using world = await openThreadWorld({
    script: { turns: [call, done] },
    guise: createLlamaServerGuise({ model: "m" }),
  });
  const shout = defineCustomTool({
    name: "shout",
    description: "Says it loudly.",
    grammar: "start: /.+/",
    run: async (text) => text.toUpperCase(),
  });
  const config = [`model_providers.mine.base_url=${world.model.url}`, "model_provider=mine", "model=m"];
  await using thread = await world.openThread({ config, tools: [shout] });
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect(world.model.requests.at(-1)?.input).toContainEqual(
    expect.objectContaining({ type: "function_call_output", output: "HEY" }),
  );
  expect(world.model.violations).toEqual([]);
});

async function drawImage({ work: folder }: ThreadWorld): Promise<void> {
  const image = sharp({ create: { width: 4, height: 4, channels: 3, background: "teal" } });
  await writeFile(join(folder, "a.png"), await image.png().toBuffer());
}

const view: ScriptTurn = { items: [{ call: "view_image", arguments: { path: "a.png" } }] };

test("a refused image becomes a line of text; a model that asks for one again gets an explanation, and new threads have no tool for it", async () => {
  const guise = createLlamaServerGuise({ model: "m" });
  await using world = await openThreadWorld({ script: { turns: [view, plan, view, done, done, first] }, guise });
  await drawImage(world);
  const table = ["base_url=" + world.model.url, "preset=llama.cpp"].map((key) => `model_providers.mine.${key}`);
  const config = [...table, "model_provider=mine", "model=m"];
  const kept = createKept();
  {
    await using thread = await kept.open(world, { config });
    const { events, outcome } = await runToEnd(thread, "Look");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(listEpochs(events)).toEqual(["the server refused an image"]);
    expect(listWarnings(events)).toEqual([
      expect.stringMatching(
        /image input is not supported.+It is about item \d+ \(a message of the user\)\. Retrying with a line of text for each image\./,
      ),
    ]);
    const input = JSON.stringify(world.model.requests.at(-1)?.input);
    expect(input).toContain("[An image was here. Images are not sent to this server.]");
    expect(input).toContain("The image was not loaded: Images are not sent to this model's server.");
    expect(input).not.toContain("input_image");
    const image = { type: "image", dataUrl: "data:image/png;base64,iVBORw0KGgo=" } as const;
    await expect(runToEnd(thread, [image])).rejects.toMatchObject({ code: "images_unsupported" });
  }
  {
    await using thread = await kept.open(world, { config });
    expect(listWarnings((await runToEnd(thread, "And on")).events)).toEqual([]);
  }
  await using thread = await world.openThread({ config });
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect(readLast(world).tools.map(({ name }) => name)).not.toContain("view_image");
  expect(world.model.violations).toEqual([]);
});

test("a server that cannot read one image gets none in this thread; new threads send theirs", async () => {
  const guise: Guise = {
    checks: { fields: false },
    answer: () => null,
    findUnsupported: () => [],
    refuse({ input }) {
      if (!JSON.stringify(input).includes("input_image")) return null;
      const message = "You uploaded an unsupported image. Please make sure your image is valid.";
      const body = { error: { message, type: "invalid_request_error", param: null, code: null } };
      return { answer: { status: 400, body }, endsEpoch: true };
    },
  };
  await using world = await openThreadWorld({ script: { turns: [view, done, first] }, guise });
  await drawImage(world);
  await using thread = await world.openThread({ config: ["model=gpt-5"] });
  const { events, outcome } = await runToEnd(thread, "Look");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(listEpochs(events)).toEqual(["the server refused an image"]);
  expect(listWarnings(events)).toEqual([
    expect.stringMatching(/The whole thread is resent uncached, about [\d,]+ tokens\.$/),
  ]);
  await expect(readFile(join(world.home, ".codex/server-notes/test.json"))).rejects.toMatchObject({ code: "ENOENT" });
  await using next = await world.openThread({ config: ["model=gpt-5"] });
  await runToEnd(next, "Go");
  expect(readLast(world).tools.map(({ name }) => name)).toContain("view_image");
  expect(world.model.violations).toEqual([]);
});

test("the model learns that a call's arguments were cut off, and the thread continues at a server that reads them", async () => {
  const cut: ScriptTurn = { items: [{ call: "update_plan", arguments: '{"plan": [{"step": "lo' }] };
  for (const preset of ["llama.cpp", "openai"]) {
    await using world = await openThreadWorld({
      script: { turns: [cut, done, done] },
      guise: misdeclare(createLlamaServerGuise({ model: "m" })),
    });
    const config = ["model=m", "web_search=disabled", `model_providers.test.preset=${preset}`, "models.m.efforts=[]"];
    await using thread = await world.openThread({ config });
    const ran = await runToEnd(thread, "Go");
    expect(ran.outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect((await runToEnd(thread, "On")).outcome.type).toBe("completed");
    const epochs = preset === "openai" ? ["the server does not take items of all kinds"] : [];
    expect(listEpochs(ran.events)).toEqual(epochs);
    const input = world.model.requests.at(-1)?.input;
    expect(input).toContainEqual(
      expect.objectContaining({ arguments: JSON.stringify({ cut_off_arguments: '{"plan": [{"step": "lo' }) }),
    );
    expect(input).toContainEqual(
      expect.objectContaining({
        output: expect.stringMatching(/^The call was not run\. Its arguments are not valid JSON/),
      }),
    );
    expect(world.model.violations).toEqual([]);
  }
});

test("where nothing is left to change, the error names what is new and what to do; without it the thread lives", async () => {
  const guise: Guise = {
    checks: { fields: false },
    answer: () => null,
    findUnsupported: () => [],
    refuse({ input }) {
      if (!JSON.stringify(input).includes("poison")) return null;
      const body = { error: { code: 500, message: "Jinja Exception: cannot render this", type: "server_error" } };
      return { answer: { status: 500, body }, endsEpoch: true };
    },
  };
  await using world = await openThreadWorld({ script: { turns: [plan, done, done] }, guise });
  const table = ["base_url=" + world.model.url, "preset=vllm"].map((key) => `model_providers.mine.${key}`);
  const settings = { config: [...table, "model_provider=mine", "model=m"] };
  const kept = createKept();
  await using thread = await kept.open(world, settings);
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  const length = kept.entries.length;
  const failed = await runToEnd(thread, "Drink the poison");
  expect(failed.outcome).toMatchObject({
    type: "failed",
    error: {
      code: "content_refused",
      message: expect.stringMatching(
        /cannot render this.+item \d+ \(a message of the user\)\. Every further request of this thread would fail the same way\. Leave the last turns out \(`unroll fork .+ --at TURNS`\), or run `unroll threads repair .+`\.$/,
      ),
    },
  });
  // it was made again once, without reasoning: that was a guess, and no new thread goes by it
  expect(world.model.requests).toHaveLength(4);
  await expect(readFile(join(world.home, ".codex/server-notes/mine.json"))).rejects.toMatchObject({ code: "ENOENT" });
  await using earlier = await world.openThread({ ...settings, entries: kept.entries.slice(0, length) });
  expect((await runToEnd(earlier, "Drink water")).outcome.type).toBe("completed");
  expect(world.model.violations).toEqual([]);
});
