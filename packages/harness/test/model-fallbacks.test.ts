import { join } from "node:path";
import type { Answer, Person, Question } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import type { Thread } from "@unroll/harness";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel, type Turn } from "@unroll/scripted-model";
import { describe, expect, test } from "vitest";
import { compact, notes, printer } from "./compaction-world.ts";
import { openThreadWorld, runToEnd, type ThreadSettings, type ThreadWorld } from "./thread-world.ts";

const said = (text: string): Turn => ({ items: [{ text }] });
const call = (command: string): Turn => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false } }],
});
const fails = (status: number, code: string): Turn => ({ status, body: { error: { code, message: "No." } } });
const overloaded = fails(503, "server_is_overloaded");
const gone = fails(404, "model_not_found");

/** Each model has its own answers, in order. */
async function openFallbackWorld(answers: Readonly<Record<string, readonly Turn[]>>): Promise<ThreadWorld> {
  const left = new Map(Object.entries(answers).map(([model, turns]) => [model, turns.values()]));
  const respond = ({ body }: { readonly body: Record<string, unknown> }): Turn =>
    left.get(String(body["model"]))?.next().value ?? fails(400, "no_answer_left");
  return openThreadWorld({ respond, checks: { prefix: false } });
}

const config = ['model_fallbacks=["gpt-5","gpt-5.1"]', "model_providers.test.request_max_retries=0"];
const askedModels = (world: ThreadWorld): readonly unknown[] => world.model.requests.map(({ body }) => body["model"]);
const warningsOf = (events: readonly { readonly type: string }[]): readonly string[] =>
  events.flatMap((event) => ("message" in event && event.type === "warning" ? [String(event.message)] : []));

function createPerson(answer: (signal: AbortSignal) => Promise<Answer>): Person & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    takes: ["prefix.break"],
    asked,
    answer(question, signal) {
      asked.push(question);
      return answer(signal);
    },
  };
}

const yes: Answer = { type: "approved.once" };
const no: Answer = { type: "denied", reason: null };

describe("where nobody can be asked", () => {
  test("an overloaded model is replaced in mid-turn after its retries, and no call runs twice or is lost", async () => {
    const first = [call("echo ran >> log; cat log"), overloaded, overloaded];
    await using world = await openFallbackWorld({ "gpt-5-codex": first, "gpt-5": [said("Done.")] });
    const retries = "model_providers.test.request_max_retries=1";
    await using thread = await world.openThread({ config: [...config.slice(0, 1), retries] });
    const { events, outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(askedModels(world)).toEqual(["gpt-5-codex", "gpt-5-codex", "gpt-5-codex", "gpt-5"]);
    const input = JSON.stringify(world.model.requests[3]?.body["input"]);
    expect(input).toContain("go");
    expect(input.match(/"function_call_output"/g)).toHaveLength(1);
    expect(input.match(/ran/g)?.length).toBe(2); // the command and its one line of output
    const at = events.findIndex(({ type }) => type === "epoch.opened");
    expect(events[at]).toMatchObject({ cause: "the model was changed from gpt-5-codex of test to gpt-5 of test" });
    expect(warningsOf(events.slice(0, at)).at(-1)).toMatch(
      /^gpt-5-codex is overloaded\. Continuing with gpt-5 \(model_fallbacks\)\. About [\d,]+ tokens are resent uncached\.$/,
    );
    expect(events.filter(({ type }) => type === "turn.completed")).toHaveLength(1);
    expect(thread.config.model).toBe("gpt-5");
  });

  test("an overload that the server tells in its stream is retried, then another model answers", async () => {
    const event = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const busy: Turn = { events: [event] };
    await using world = await openFallbackWorld({ "gpt-5-codex": [busy, busy], "gpt-5": [said("Done.")] });
    const retries = "model_providers.test.stream_max_retries=1";
    await using thread = await world.openThread({ config: [...config, retries] });
    expect((await runToEnd(thread, "go")).outcome).toMatchObject({ finalMessage: "Done." });
    expect(askedModels(world)).toEqual(["gpt-5-codex", "gpt-5-codex", "gpt-5"]);
  });

  test("a model that is gone is replaced at the first request, and the next process resumes with the other one", async () => {
    const answers = { "gpt-5-codex": [gone], "gpt-5": [said("One."), said("Two.")] };
    await using world = await openFallbackWorld(answers);
    const store = openThreadStore({
      codexHome: join(world.home, ".codex"),
      clock: { now: Date.now },
      pid: process.pid,
    });
    const thread = await world.openThread({ config, store });
    expect((await runToEnd(thread, "Remember 42")).outcome).toMatchObject({ finalMessage: "One." });
    expect(JSON.stringify(world.model.requests[1]?.body["input"])).toContain("Remember 42");
    const { id } = thread;
    await thread[Symbol.asyncDispose]();
    const { entries } = await store.load(id);
    expect(entries.findLast((entry) => entry.type === "thread.opened")).toMatchObject({ model: "gpt-5" });
    const loadModel: ThreadSettings["loadModel"] = ({ model }) => world.loadConfig([...config, `model=${model}`]);
    await using again = await world.openThread({ config, store, resume: id, loadModel });
    expect((await runToEnd(again, "And?")).outcome).toMatchObject({ finalMessage: "Two." });
    expect(askedModels(world)).toEqual(["gpt-5-codex", "gpt-5", "gpt-5"]);
  });

  test("if every model fails, the turn names all of them with their reasons, and the next turn tries again", async () => {
    const answers = { "gpt-5-codex": [overloaded], "gpt-5": [gone], "gpt-5.1": [overloaded, said("Back.")] };
    await using world = await openFallbackWorld(answers);
    await using thread = await world.openThread({ config });
    const { outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({ type: "failed", error: { code: "server_is_overloaded" } });
    const message = outcome.type === "failed" ? outcome.error.message : "";
    expect(message).toMatch(
      /^No model answered\. gpt-5-codex is overloaded: .* gpt-5 is not available: .* gpt-5\.1 is overloaded: /,
    );
    expect((await runToEnd(thread, "again")).outcome).toMatchObject({ finalMessage: "Back." });
    expect(askedModels(world)).toEqual(["gpt-5-codex", "gpt-5", "gpt-5.1", "gpt-5.1"]);
  });

  test.for([
    [400, "invalid_request_error"],
    [401, "model_not_found"],
    [403, "model_not_found"],
    [429, "insufficient_quota"],
  ] as const)("%i %s is not a reason for another model", async ([status, code]) => {
    await using world = await openFallbackWorld({ "gpt-5-codex": [fails(status, code)], "gpt-5": [said("Never.")] });
    await using thread = await world.openThread({ config });
    expect((await runToEnd(thread, "go")).outcome).toMatchObject({ type: "failed" });
    expect(new Set(askedModels(world))).toEqual(new Set(["gpt-5-codex"]));
    expect(thread.config.model).toBe("gpt-5-codex");
  });

  test("without model_fallbacks nothing changes", async () => {
    await using world = await openFallbackWorld({ "gpt-5-codex": [gone] });
    await using thread = await world.openThread({ config: config.slice(1) });
    expect((await runToEnd(thread, "go")).outcome).toMatchObject({ error: { code: "model_not_found" } });
    expect(askedModels(world)).toEqual(["gpt-5-codex"]);
  });
});

interface TwoServers extends AsyncDisposable {
  readonly world: ThreadWorld;
  readonly spare: ScriptedModel;
  open(settings?: ThreadSettings): Promise<Thread>;
}

/** Threads of the provider `test` may continue at the provider `spare`, another server with another key. */
async function openTwoServers(
  first: readonly Turn[],
  second: readonly Turn[],
  model = "spare-model",
): Promise<TwoServers> {
  const play = (turns: readonly Turn[]): ScriptedModelOptions => {
    const left = turns.values();
    return { respond: () => left.next().value ?? null, checks: { prefix: false, fields: false } };
  };
  await using stack = new AsyncDisposableStack();
  const spare = stack.adopt(await startScriptedModel(play(second)), (server) => server.close());
  const world = stack.use(await openThreadWorld(play(first)));
  const own = [
    `model_fallbacks=[{model_provider="spare", model="${model}"}]`,
    `model_providers.spare={base_url="${spare.url}", env_key="SPARE_KEY", request_max_retries=0}`,
    "model_providers.test.env_key=TEST_KEY",
    "model_providers.test.request_max_retries=0",
  ];
  const env = { TEST_KEY: "key-of-test", SPARE_KEY: "key-of-spare" };
  const held = stack.move();
  return {
    world,
    spare,
    open: ({ config: more = [], ...settings } = {}) =>
      world.openThread({ ...settings, config: [...own, ...more], env }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

describe("a model of another provider", () => {
  test("continues the turn with its own address, credential and form of the request, and the key is not in the environment of commands", async () => {
    const first = [call("echo ran >> log; cat log; echo key: $SPARE_KEY"), overloaded];
    await using servers = await openTwoServers(first, [said("Done.")]);
    const { world, spare } = servers;
    await using thread = await servers.open();
    const { events, outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(world.model.requests).toHaveLength(2);
    const [request, ...others] = spare.requests;
    expect(others).toEqual([]);
    expect(request?.headers["authorization"]).toBe("Bearer key-of-spare");
    expect(request?.body["model"]).toBe("spare-model");
    expect(request?.body).not.toHaveProperty("prompt_cache_key"); // of OpenAI's form, which a plain server may not take
    const input = JSON.stringify(request?.body["input"]);
    expect(input.match(/"function_call_output"/g)).toHaveLength(1);
    expect(input).toContain("\\nkey:\\n");
    const at = events.findIndex(({ type }) => type === "epoch.opened");
    expect(events[at]).toMatchObject({
      cause: expect.stringMatching(/^the provider was changed from .* to spare-model of spare$/),
    });
    expect(warningsOf(events.slice(0, at)).at(-1)).toMatch(
      /^gpt-5-codex of test is overloaded\. Continuing with spare-model of spare \(model_fallbacks\)\. About [\d,]+ tokens are resent uncached\.$/,
    );
    expect(thread.config.provider.id).toBe("spare");
  });

  test("may have the same name", async () => {
    await using servers = await openTwoServers([gone], [said("Done.")], "gpt-5-codex");
    await using thread = await servers.open();
    expect((await runToEnd(thread, "go")).outcome).toMatchObject({ finalMessage: "Done." });
    expect([servers.world.model.requests.length, servers.spare.requests.length]).toEqual([1, 1]);
  });

  test("is asked about with its provider, and gets nothing if you deny it", async () => {
    await using servers = await openTwoServers([said("One."), overloaded], [said("Never.")]);
    const person = createPerson(async () => no);
    await using thread = await servers.open({ person });
    await runToEnd(thread, "a");
    expect((await runToEnd(thread, "b")).outcome).toMatchObject({
      error: { message: expect.stringContaining("does not continue with spare-model of spare,") },
    });
    expect(person.asked).toMatchObject([
      { changes: expect.arrayContaining(["spare-model of spare instead of gpt-5-codex of test"]) },
    ]);
    expect(servers.spare.requests).toEqual([]);
  });

  test("without its credential is left out with the reason", async () => {
    await using servers = await openTwoServers([overloaded], [said("Never.")]);
    await using thread = await servers.open({ config: ['model_providers.spare.env_key="NO_SUCH_KEY"'] });
    const { outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({
      type: "failed",
      error: { message: expect.stringMatching(/^No model answered\. .* spare-model of spare .*NO_SUCH_KEY/) },
    });
    expect(servers.spare.requests).toEqual([]);
  });
});

/** With a model of the same provider first in the list, which has to be left out. */
const both = 'model_fallbacks=["gpt-5", {model_provider="spare", model="spare-model"}]';
const usedUp: Turn = {
  status: 429,
  body: { error: { type: "usage_limit_reached", message: "No.", resets_in_seconds: 7200 } },
};

describe("a provider that cannot answer", () => {
  test.for([
    ["a used-up usage limit", usedUp],
    ["a used-up quota", fails(429, "insufficient_quota")],
    ["used-up credit", fails(402, "payment_required")],
    ["a plan without the model", fails(403, "usage_not_included")],
  ] as const)(
    "%s continues the turn at another provider, and not with another model of its own",
    async ([, failure]) => {
      await using servers = await openTwoServers([call("echo ran >> log; cat log"), failure], [said("Done.")]);
      await using thread = await servers.open({ config: [both] });
      const { events, outcome } = await runToEnd(thread, "go");
      expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
      expect(servers.world.model.requests).toHaveLength(2); // no retry
      const input = JSON.stringify(servers.spare.requests[0]?.body["input"]);
      expect(input.match(/"function_call_output"/g)).toHaveLength(1);
      expect(warningsOf(events).at(-1)).toMatch(
        /^gpt-5-codex of test has no quota left\. Continuing with spare-model of spare \(model_fallbacks\)\. About [\d,]+ tokens are resent uncached\.$/,
      );
      expect(thread.config.provider.id).toBe("spare");
    },
  );

  test("that cannot be reached after the retries is replaced by another provider", async () => {
    await using servers = await openTwoServers([said("One.")], [said("Two.")]);
    await using thread = await servers.open({ config: [both, "model_providers.test.startup_timeout_ms=0"] });
    await runToEnd(thread, "a");
    await servers.world.model.close();
    const { events, outcome } = await runToEnd(thread, "b");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Two." });
    expect(warningsOf(events).at(-1)).toContain("gpt-5-codex of test cannot be reached. Continuing with spare-model");
  });

  test("whose answers break off after the retries is replaced by the next model, and nothing that ran runs again", async () => {
    const cut: Turn = {
      items: [{ text: "Half of an answer" }, { call: "exec_command", arguments: { cmd: "echo ran >> log" } }],
      cut: { afterEvents: 6, how: "close" },
    };
    const first = { "gpt-5-codex": [call("echo ran >> log; cat log"), cut, cut], "gpt-5": [said("Done.")] };
    await using world = await openFallbackWorld(first);
    const retries = "model_providers.test.stream_max_retries=1";
    await using thread = await world.openThread({ config: [...config, retries] });
    const { events, outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
    expect(warningsOf(events).at(-1)).toContain("gpt-5-codex does not finish its answers. Continuing with gpt-5");
    const input = JSON.stringify(world.model.requests.at(-1)?.body["input"]);
    expect(input.match(/"function_call_output"/g)).toHaveLength(1);
  });

  test("is asked about in the terminal, with the reason", async () => {
    await using servers = await openTwoServers([said("One."), usedUp], [said("Two.")]);
    const person = createPerson(async () => yes);
    await using thread = await servers.open({ config: [both], person });
    await runToEnd(thread, "a");
    expect((await runToEnd(thread, "b")).outcome).toMatchObject({ finalMessage: "Two." });
    expect(person.asked).toMatchObject([
      { subject: "fallback", reason: expect.stringMatching(/^gpt-5-codex of test has no quota left\. /) },
    ]);
  });

  test("is not asked again in the turn when the other provider fails, too", async () => {
    await using servers = await openTwoServers([usedUp], [overloaded]);
    await using thread = await servers.open({
      config: [`${both.slice(0, -1)}, {model_provider="test", model="gpt-5"}]`],
    });
    const { outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({
      error: {
        message: expect.stringMatching(
          /^No model answered\. gpt-5-codex of test has no quota left: .* spare-model of spare is overloaded: /,
        ),
      },
    });
    expect(servers.world.model.requests).toHaveLength(1);
  });

  test("is a failure as before, if the list has no other provider", async () => {
    await using world = await openFallbackWorld({ "gpt-5-codex": [usedUp], "gpt-5": [said("Never.")] });
    await using thread = await world.openThread({ config });
    const { outcome } = await runToEnd(thread, "go");
    expect(outcome).toMatchObject({ error: { code: "usage_limit_reached" } });
    expect(JSON.stringify(outcome)).not.toContain("No model answered");
    expect(askedModels(world)).toEqual(["gpt-5-codex"]);
  });
});

describe("a request for a summary that fails", () => {
  const print: Turn = { items: [{ call: "print", arguments: { bytes: 30_000 } }] };
  const answers = (): Readonly<Record<string, readonly Turn[]>> => ({
    "gpt-5-codex": [print, print, said("One."), overloaded, said("Back.")],
    "gpt-5": [said(notes), said("Two.")],
  });

  test("is made by the next model, when you compact the thread", async () => {
    await using world = await openFallbackWorld(answers());
    await using thread = await world.openThread({ config, tools: [printer] });
    await runToEnd(thread, "Count.");
    const { events, outcome } = await compact(thread);
    expect(outcome).toMatchObject({ type: "completed" });
    expect(warningsOf(events).join()).toContain("gpt-5-codex is overloaded. Continuing with gpt-5 (model_fallbacks).");
    expect(events.filter(({ type }) => type === "compaction.completed")).toMatchObject([{ summary: notes }]);
    expect((await runToEnd(thread, "On.")).outcome).toMatchObject({ finalMessage: "Two." });
    expect(askedModels(world).slice(3)).toEqual(["gpt-5-codex", "gpt-5", "gpt-5"]);
  });

  test("is made by the next model within a turn, when the thread reaches its limit", async () => {
    const turns = { "gpt-5-codex": [print, print, overloaded], "gpt-5": [said(notes), said("Two.")] };
    await using world = await openFallbackWorld(turns);
    const limit = "model_auto_compact_token_limit=16000";
    await using thread = await world.openThread({ config: [...config, limit], tools: [printer] });
    const { events, outcome } = await runToEnd(thread, "Count.");
    expect(outcome).toMatchObject({ finalMessage: "Two." });
    expect(events.filter(({ type }) => type === "compaction.completed")).toMatchObject([{ summary: notes }]);
    expect(askedModels(world).slice(2)).toEqual(["gpt-5-codex", "gpt-5", "gpt-5"]);
  });

  test("ends the compaction, if you say no to the next model", async () => {
    await using world = await openFallbackWorld(answers());
    const person = createPerson(async () => no);
    await using thread = await world.openThread({ config, tools: [printer], person });
    await runToEnd(thread, "Count.");
    const { outcome } = await compact(thread);
    expect(outcome).toMatchObject({
      type: "failed",
      error: { message: expect.stringContaining("The thread does not continue with gpt-5,") },
    });
    expect(person.asked).toHaveLength(1);
    expect((await runToEnd(thread, "On.")).outcome).toMatchObject({ finalMessage: "Back." });
  });
});

describe("where a person can be asked", () => {
  const answers = (): Readonly<Record<string, readonly Turn[]>> => ({
    "gpt-5-codex": [said("One."), overloaded, said("Back.")],
    "gpt-5": [said("Two.")],
  });

  test("the question comes before the request, with the reason and the cost, and yes continues the turn", async () => {
    await using world = await openFallbackWorld(answers());
    const person = createPerson(async () => yes);
    await using thread = await world.openThread({ config, person });
    await runToEnd(thread, "a");
    expect((await runToEnd(thread, "b")).outcome).toMatchObject({ finalMessage: "Two." });
    expect(person.asked).toMatchObject([
      {
        type: "prefix.break",
        subject: "fallback",
        askedBy: "model_fallbacks",
        reason: expect.stringMatching(/^gpt-5-codex is overloaded\. /),
        changes: ["gpt-5 of test instead of gpt-5-codex of test"],
        tokens: expect.any(Number),
      },
    ]);
  });

  test("nobody is asked before the first answer of a thread, because nothing is cached", async () => {
    await using world = await openFallbackWorld({ "gpt-5-codex": [gone], "gpt-5": [said("One.")] });
    const person = createPerson(async () => no);
    await using thread = await world.openThread({ config, person });
    expect((await runToEnd(thread, "a")).outcome).toMatchObject({ finalMessage: "One." });
    expect(person.asked).toEqual([]);
  });

  test("no ends the turn with the failure, and the thread keeps its model", async () => {
    await using world = await openFallbackWorld(answers());
    await using thread = await world.openThread({ config, person: createPerson(async () => no) });
    await runToEnd(thread, "a");
    const { outcome } = await runToEnd(thread, "b");
    expect(outcome).toMatchObject({
      type: "failed",
      error: {
        code: "server_is_overloaded",
        message: expect.stringContaining("The thread does not continue with gpt-5,"),
      },
    });
    expect(thread.config.model).toBe("gpt-5-codex");
    expect((await runToEnd(thread, "c")).outcome).toMatchObject({ finalMessage: "Back." });
  });

  test("an interrupt during the question ends the turn, and nothing is sent to the other model", async () => {
    await using world = await openFallbackWorld(answers());
    const stop = new AbortController();
    const person = createPerson(async () => {
      stop.abort();
      return new Promise<Answer>(() => {}); // no answer ever
    });
    await using thread = await world.openThread({ config, person });
    await runToEnd(thread, "a");
    expect((await runToEnd(thread, "b", { signal: stop.signal })).outcome).toMatchObject({ type: "interrupted" });
    expect((await runToEnd(thread, "c")).outcome).toMatchObject({ finalMessage: "Back." });
    expect(askedModels(world)).toEqual(["gpt-5-codex", "gpt-5-codex", "gpt-5-codex"]);
  });
});
