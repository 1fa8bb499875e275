import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  type Turn,
} from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { notes, openPrintingWorld, playWith, print, say } from "./compaction-world.ts";
import type { ThreadEvent } from "@unroll/protocol";
import { runToEnd, type ThreadWorld } from "./thread-world.ts";
import { countTokens, openSmallThread, openWindowedWorld } from "./windowed-world.ts";

const free = { checks: { prefix: false, fields: false } } as const;

interface Asked {
  readonly guise: Guise;
  /** The paths of GET requests, in order. */
  readonly paths: readonly string[];
}

/** A guise that notes what it is asked besides responses. */
function watch(guise: Guise): Asked {
  const paths: string[] = [];
  const answer: Guise["answer"] = (request) => {
    if (request.method === "GET") paths.push(request.url);
    return guise.answer(request);
  };
  return { guise: { ...guise, answer }, paths };
}

function findUpdates(events: readonly ThreadEvent[]): readonly ThreadEvent[] {
  return events.filter(({ type }) => type === "context_window.updated");
}

const update = (contextWindow: number): ThreadEvent => ({
  type: "context_window.updated",
  context_window: contextWindow,
  origin: "server",
  replaced: { context_window: 128_000, origin: "guess" },
});

test.each([
  ["llama-server", createLlamaServerGuise({ model: "lab-bigram", contextLength: 8192 }), ["/v1/models"]],
  ["vLLM", createVllmGuise({ models: ["lab-bigram"], contextLength: 8192 }), ["/v1/models"]],
  [
    "LM Studio",
    createLmStudioGuise({ models: ["lab-bigram"], knowsResponses: true, contextLength: 8192 }),
    ["/v1/models", "/api/ps", "/api/v1/models"],
  ],
] as const)(
  "the window in force of %s is read beside the first request, and is gone by",
  async (_name, real, paths) => {
    const asked = watch(real);
    const turns = [...Array.from({ length: 6 }, () => print(8000)), say("Done.")];
    const respond = playWith(
      turns,
      Array.from({ length: 6 }, () => say(notes)),
    );
    await using world = await openPrintingWorld({ ...free, guise: asked.guise, respond });
    await using thread = await openSmallThread(world);
    expect(thread.config.modelFamily).toMatchObject({ contextWindow: 128_000, windowOrigin: "guess" });
    const { events, outcome } = await runToEnd(thread, "Count.");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(findUpdates(events)).toEqual([update(8192)]);
    expect(thread.config.modelFamily).toMatchObject({ contextWindow: 8192, windowOrigin: "server" });
    expect(events.map(({ type }) => type)).toContain("compaction.completed");
    expect(Math.max(...world.model.requests.map(countTokens))).toBeLessThan(8192);
    expect(asked.paths).toEqual(paths);
  },
);

function openOllama(contextLength: number): Asked {
  return watch(createOllamaGuise({ version: "0.30.0", models: ["lab-bigram"], contextLength }));
}

function openOllamaThread(world: ThreadWorld): ReturnType<typeof openSmallThread> {
  return openSmallThread(world, {
    config: ["model_provider=ollama", `model_providers.ollama.base_url=${world.model.url}`],
  });
}

test("Ollama tells its window once the model is loaded: it is asked again after the first answer, and the next request knows", async () => {
  const { guise, paths } = openOllama(4096);
  await using world = await openPrintingWorld({
    ...free,
    guise,
    respond: playWith([print(900), print(900), say("Done."), say("On.")], []),
  });
  await using thread = await openOllamaThread(world);
  const { events } = await runToEnd(thread, "Count.");
  const types = events.map(({ type }) => type);
  expect(findUpdates(events)).toEqual([update(4096)]);
  expect(types.indexOf("context_window.updated")).toBeLessThan(types.lastIndexOf("request.completed"));
  const asked = [...paths];
  expect(asked.slice(-2)).toEqual(["/v1/models", "/api/ps"]);
  await runToEnd(thread, "Go on.");
  expect(paths).toEqual(asked);
});

test("a server that silently drops old messages is reported once", async () => {
  const { guise } = openOllama(2000);
  const respond = playWith([print(400), print(400), say("One."), say("Two.")], [say(notes), say(notes), say(notes)]);
  await using world = await openPrintingWorld({ ...free, guise, respond });
  await using thread = await openOllamaThread(world);
  const first = await runToEnd(thread, "word ".repeat(4000));
  const second = await runToEnd(thread, "Go on.");
  const told = [...first.events, ...second.events].flatMap((event) =>
    event.type === "warning" && event.message.includes("drops old messages") ? [event.message] : [],
  );
  expect(told).toEqual([
    expect.stringMatching(
      /^Ollama read 2,000 tokens of a request that has at least 3,\d\d\d: it drops old messages without an error when its context window of 2,000 tokens is full, .* start Ollama with a larger one/,
    ),
  ]);
});

test("a server that reads all of it is not suspected, whatever its tokenizer makes of the text", async () => {
  const { guise } = openOllama(32_768);
  const turns = [
    print(9000),
    { ...say("One."), usage: { input_tokens: 3100, output_tokens: 5, total_tokens: 3105 } },
    say("Two."),
  ];
  await using world = await openPrintingWorld({ ...free, guise, respond: playWith(turns, []) });
  await using thread = await openOllamaThread(world);
  const events = [...(await runToEnd(thread, "Count.")).events, ...(await runToEnd(thread, "Go on.")).events];
  expect(events.filter(({ type }) => type === "warning")).toHaveLength(1); // of the model that nobody knows
});

test("a server that answers nothing where its window is full gets a shorter conversation; elsewhere an empty answer is an answer", async () => {
  const nothing: Turn = { items: [] };
  const turns = [...Array.from({ length: 12 }, (_, n) => print(2000 + n)), say("Done.")];
  await using world = await openWindowedWorld({ window: 6200, refuse: () => nothing, turns });
  await using thread = await openSmallThread(world, { config: ["model_context_window=8000"] });
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  const cause = expect.stringMatching(
    /^its [\d,]+ tokens nearly fill the context window of 8,000, and the server answered nothing$/,
  ) as string;
  expect(events.find(({ type }) => type === "compaction.started")).toMatchObject({ cause });
  // each response is reported once, including the empty one
  const told = events.flatMap((event) => (event.type === "request.completed" ? [event.response_id] : []));
  expect(new Set(told).size).toBe(told.length);

  await using other = await openPrintingWorld({ ...free, respond: playWith([nothing], []) });
  await using small = await openSmallThread(other);
  const ran = await runToEnd(small, "Count.");
  expect(ran.outcome).toMatchObject({ type: "completed", finalMessage: null });
  expect(ran.events).toContainEqual({ type: "warning", message: "The model's answer was empty." });
});

test("what no server tells stays a guess, and OpenAI is not asked", async () => {
  const silent: Guise = { checks: {}, answer: () => null, findUnsupported: () => [] };
  for (const [config, asked] of [
    [[], ["/v1/models", "/api/ps", "/api/v1/models", "/v1/models", "/api/ps", "/api/v1/models"]],
    [
      ["model_providers.test.requires_openai_auth=true", "model_providers.test.experimental_bearer_token=sk-123456789"],
      [],
    ],
  ] as const) {
    const { guise, paths } = watch(silent);
    await using world = await openPrintingWorld({ ...free, guise, respond: playWith([print(10), say("Done.")], []) });
    await using thread = await openSmallThread(world, { config });
    const { events } = await runToEnd(thread, "Count.");
    expect(findUpdates(events)).toEqual([]);
    const told = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
    expect(told).toEqual([expect.stringContaining("128000 tokens, which is a guess until its server reports it")]);
    expect(thread.config.modelFamily).toMatchObject({ contextWindow: 128_000, windowOrigin: "guess" });
    expect(paths).toEqual(asked);
  }
});

test("if unroll knows a model but not its window, and the server does not report one either, a warning says that it is a guess", async () => {
  await using world = await openPrintingWorld({
    ...free,
    respond: playWith([print(10), say("Done."), say("On.")], []),
  });
  await using thread = await openSmallThread(world, { config: ["model=gpt-oss:20b"] });
  const events = [...(await runToEnd(thread, "Count.")).events, ...(await runToEnd(thread, "On.")).events];
  expect(events.filter(({ type }) => type === "warning")).toEqual([
    {
      type: "warning",
      message:
        "The server does not say how large the context window of gpt-oss:20b is: 128,000 tokens is a guess. Set model_context_window to what it has.",
    },
  ]);
});
