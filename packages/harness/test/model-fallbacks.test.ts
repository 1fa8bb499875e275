import { join } from "node:path";
import type { Answer, Person, Question } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import type { Turn } from "@unroll/scripted-model";
import { describe, expect, test } from "vitest";
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
