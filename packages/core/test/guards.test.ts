import { type ModelClient, runTurn, type StepFacts, type StepGuard, type StepVerdict } from "@unroll/core";
import { forEach } from "@unroll/flow";
import type { ModelStreamEvent, StreamOutcome, ThreadEvent } from "@unroll/protocol";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { answer, call, createFakeModel, createFakeThread, runToEnd, said, stream, user } from "./fake-ports.ts";

function guard(decide: (facts: StepFacts) => StepVerdict): StepGuard {
  return {
    // oxlint-disable-next-line require-yield -- this one has nothing to tell
    async *before(facts) {
      return decide(facts);
    },
  };
}

test("a budget is a guard: it stops the turn before the request that it does not allow", async () => {
  const budget = guard(({ requests }) =>
    requests < 2 ? { type: "go" } : { type: "stop", error: { code: "budget", message: "Two requests are all." } },
  );
  const model = createFakeModel([answer(call("a")), answer(call("b")), answer(said("Never."))]);
  const { outcome } = await runToEnd(createFakeThread(model, { guards: [budget] }), "Go");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "budget", message: "Two requests are all." } });
  expect(model.bodies).toHaveLength(2);
});

test("a guard sees what the turn used and what it would send", async () => {
  const seen: StepFacts[] = [];
  const watch = guard((facts) => {
    seen.push({ ...facts, items: [...facts.items] });
    return { type: "go" };
  });
  const thread = createFakeThread(createFakeModel([answer(call("a")), answer(said("Done."))]), { guards: [watch] });
  await runToEnd(thread, "Go");
  expect(seen).toMatchObject([
    { turnId: "turn-1", requests: 0, usage: { input_tokens: 0 }, lastUsage: null, failure: null },
    { turnId: "turn-1", requests: 1, usage: { input_tokens: 10 }, lastUsage: { input_tokens: 10 }, failure: null },
  ]);
  expect(seen[0]?.items).toEqual([user("Go")]);
  expect(seen[0]?.bytes).toBe(JSON.stringify(user("Go")).length);
});

test("a nudge is a guard: what it says goes into the request that it lets go", async () => {
  const nudge = guard(({ requests }) => (requests === 1 ? { type: "go", say: [user("Again?")] } : { type: "go" }));
  const model = createFakeModel([answer(call("a")), answer(said("No."))]);
  await runToEnd(createFakeThread(model, { guards: [nudge] }), "Go");
  expect(model.bodies[0]).not.toContain("Again?");
  expect(model.bodies[1]).toContain("Again?");
});

test("compaction is a guard: it opens an epoch, whose event has the number of shared items", async () => {
  const compaction = guard(({ requests, items }) =>
    requests === 1
      ? { type: "compact", items: [...items.slice(0, 1), user("summary")], cause: "the window was full" }
      : { type: "go" },
  );
  const model = createFakeModel([answer(call("a")), answer(said("Done."))]);
  const thread = createFakeThread(model, { guards: [compaction] });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome.type).toBe("completed");
  const first_difference = { index: 1, type: "message" };
  const epoch = { type: "epoch.opened", cause: "the window was full", items: 2, shared_items: 1, first_difference };
  expect(events).toContainEqual(epoch);
  expect(thread.ports.state.transcript.items).toEqual([user("Go"), user("summary"), said("Done.")]);
});

async function* overflow(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
  yield { type: "response.output_text.delta", item_id: "m", output_index: 0, delta: "void" };
  return { type: "failed", error: { code: "context_length_exceeded", message: "Too long.", retryable: false } };
}

test("a request that failed is made once more where a guard compacts, and only once", async () => {
  const compaction = guard(({ failure }) =>
    failure?.code === "context_length_exceeded"
      ? { type: "compact", items: [user("summary")], cause: failure.message }
      : { type: "go" },
  );
  const model = createFakeModel([overflow, answer(said("Done."))]);
  expect((await runToEnd(createFakeThread(model, { guards: [compaction] }), "Go")).outcome.type).toBe("completed");
  const helpless = createFakeModel([overflow, overflow]);
  const { outcome } = await runToEnd(createFakeThread(helpless, { guards: [compaction] }), "Go");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "context_length_exceeded" } });
  expect(helpless.bodies).toHaveLength(2);
});

test("guards that let a failure be leave it as it was", async () => {
  const model = createFakeModel([overflow]);
  const { outcome } = await runToEnd(createFakeThread(model, { guards: [guard(() => ({ type: "go" }))] }), "Go");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "context_length_exceeded" } });
});

test("a guard that stops after a failed request is obeyed though another one compacted", async () => {
  const compaction = guard(({ failure }) =>
    failure === null ? { type: "go" } : { type: "compact", items: [user("short")], cause: "too long" },
  );
  const budget = guard(({ failure }) =>
    failure === null ? { type: "go" } : { type: "stop", error: { code: "budget", message: "Spent." } },
  );
  const model = createFakeModel([overflow, answer(said("Sent all the same."))]);
  const { outcome } = await runToEnd(createFakeThread(model, { guards: [compaction, budget] }), "Go");
  expect(outcome).toMatchObject({ type: "failed", error: { code: "budget", message: "Spent." } });
  expect(model.bodies).toHaveLength(1);
});

test("an abort that a limit explains fails the turn with its error; one of a person stays an interruption", async () => {
  for (const error of [{ code: "budget_exhausted", message: "Late." }, null]) {
    const controller = new AbortController();
    const thread = createFakeThread(
      createFakeModel([
        // oxlint-disable-next-line require-yield -- it is aborted before it says anything
        async function* () {
          controller.abort();
          return { type: "aborted" };
        },
      ]),
    );
    const options = { turnId: "t", signal: controller.signal, request: () => ({}), explainAbort: () => error };
    const events: ThreadEvent[] = [];
    const outcome = await forEach(runTurn(thread.ports, [user("Go")], options), (event) => void events.push(event));
    expect(outcome).toMatchObject(error === null ? { type: "interrupted" } : { type: "failed", error });
    expect(events.at(-1)).toMatchObject({ type: "turn.failed", error: { code: error?.code ?? "interrupted" } });
    const told = JSON.stringify(thread.ports.state.transcript.items.at(-1));
    expect(told).toContain(error === null ? "The user stopped the turn" : "a limit that the user set was reached");
  }
});

test("a guard that throws fails the turn and is not reported as our bug", async () => {
  const broken = guard(() => {
    throw new Error("no budget file");
  });
  const { outcome } = await runToEnd(createFakeThread(createFakeModel([]), { guards: [broken] }), "Go");
  const error = { code: "guard_failed", message: "A guard failed: no budget file" };
  expect(outcome).toMatchObject({ type: "failed", error });
});

test("a guard that never answers ends with the turn's abort", async () => {
  const controller = new AbortController();
  const endless: StepGuard = {
    async *before() {
      yield { type: "warning", message: "Thinking." };
      controller.abort();
      return new Promise<never>(() => {});
    },
  };
  const thread = createFakeThread(createFakeModel([]), { guards: [endless] });
  expect((await runToEnd(thread, "Go", controller.signal)).outcome.type).toBe("interrupted");
});

test("a guard knows the usage of the thread's last response also at a turn's first request", async () => {
  const seen: StepFacts["lastUsage"][] = [];
  const watch = guard(({ lastUsage }) => {
    seen.push(lastUsage);
    return { type: "go" };
  });
  const thread = createFakeThread(createFakeModel([answer(said("One.")), answer(said("Two."))]), { guards: [watch] });
  await runToEnd(thread, "a");
  await runToEnd(thread, "b");
  expect(seen).toMatchObject([null, { input_tokens: 10 }]);
});

test("a message that arrives during compaction is part of the next request", async () => {
  const model = createFakeModel([answer(said("Done."))]);
  const thread = createFakeThread(model, {
    guards: [
      guard(({ items }) => {
        thread.ports.state.inbox.put([user("And this.")]);
        return { type: "compact", items, cause: "too long" };
      }),
    ],
  });
  await runToEnd(thread, "Go");
  expect(model.bodies).toHaveLength(1);
  expect(model.bodies[0]).toContain("And this.");
});

test("a guard ends a turn without a request, and messages that arrive meanwhile wait", async () => {
  const thread = createFakeThread(createFakeModel([]), {
    guards: [
      guard(() => {
        thread.ports.state.inbox.put([user("Later.")]);
        return { type: "end" };
      }),
    ],
  });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: null });
  expect(events.map(({ type }) => type)).toEqual(["turn.started", "input.received", "turn.completed"]);
  expect(thread.ports.state.inbox.drain()).toEqual([user("Later.")]);
});

test("what the provider and the model do in a request beside the turn is seen: searches, and calls that do not run", async () => {
  const asking: StepGuard = {
    async *before({ items, requests }, _signal, side) {
      if (requests === 0) yield* side.respond([...items, user("Sum up.")]);
      return { type: "go" };
    },
  };
  const model = createFakeModel([
    answer({ type: "web_search_call" }, call("a"), said("A sum.")),
    answer(said("Done.")),
  ]);
  const { events } = await runToEnd(createFakeThread(model, { guards: [asking] }), "Go");
  const search = { id: "item_0", type: "web_search", query: "", action: null };
  expect(events.filter((event) => "item" in event)).toEqual([
    { type: "item.started", item: { ...search, status: "in_progress" } },
    { type: "item.completed", item: { ...search, status: "completed" } },
    { type: "item.completed", item: { id: "item_1", type: "error", message: "echo" } },
    { type: "item.completed", item: { id: "item_2", type: "agent_message", text: "Done." } },
  ]);
});

test("a guard asks the model beside the turn: the request begins as the thread's, is not recorded, and is counted", async () => {
  const seen: unknown[] = [];
  const asking: StepGuard = {
    async *before({ items, requests }, _signal, side) {
      if (requests === 1) seen.push(yield* side.respond([...items, user("Sum up.")]));
      return { type: "go" };
    },
  };
  const model = createFakeModel([answer(call("a")), answer(said("A sum.")), answer(said("Done."))]);
  const thread = createFakeThread(model, { guards: [asking] });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(seen).toEqual([{ type: "completed", items: [said("A sum.")] }]);
  const [, asked = "", next = ""] = model.bodies;
  const prefix = next.slice(0, -"]}".length);
  expect(asked).toBe(`${prefix},${JSON.stringify(user("Sum up."))}]}`);
  expect(outcome.usage.input_tokens).toBe(30);
  expect(events.filter(({ type }) => type === "request.completed")).toHaveLength(3);
  expect(events.filter((event) => event.type === "item.completed" && event.item.type === "agent_message")).toHaveLength(
    1,
  );
});

const usage = { input_tokens: 10, output_tokens: 3, total_tokens: 13 };
const used = { type: "interrupted", usage: { input_tokens: 10, output_tokens: 3 } };

test("a request beside the turn counts what it used, also if you stop while its answer is shown", async () => {
  const asking: StepGuard = {
    async *before({ items }, _signal, side) {
      yield* side.respond(items);
      return { type: "go" };
    },
  };
  const { ports } = createFakeThread(createFakeModel([answer({ type: "web_search_call" })]), { guards: [asking] });
  const stop = new AbortController();
  const turn = runTurn(ports, [user("Go")], { turnId: "turn-1", signal: stop.signal, request: () => ({}) });
  expect(await forEach(turn, ({ type }) => void (type === "item.started" && stop.abort()))).toMatchObject(used);
});

test("a compaction by the server counts what it used, also if you stop while its answer ends", async () => {
  const stop = new AbortController();
  const model: ModelClient = {
    ...createFakeModel([]),
    // oxlint-disable-next-line require-yield -- it is not retried
    async *compact() {
      stop.abort();
      return { type: "completed", responseId: "resp_1", items: [], usage };
    },
  };
  const compacting: StepGuard = {
    async *before({ items }, _signal, side) {
      yield* side.compact?.(items) ?? [];
      return { type: "go" };
    },
  };
  const { outcome } = await runToEnd(createFakeThread(model, { guards: [compacting] }), "Go", stop.signal);
  expect(outcome).toMatchObject(used);
});

test("a request beside the turn whose answer ends in the moment of an abort counts what it used, and the turn shows it", async () => {
  const stop = new AbortController();
  const asking: StepGuard = {
    async *before({ items }, _signal, side) {
      yield* side.respond(items);
      return { type: "go" };
    },
  };
  async function* ending(): AsyncGenerator<ModelStreamEvent, StreamOutcome> {
    stop.abort();
    await setImmediate(); // the server has counted the answer, which comes whole
    return yield* stream([said("A sum.")]);
  }
  const thread = createFakeThread(createFakeModel([ending]), { guards: [asking] });
  const { events, outcome } = await runToEnd(thread, "Go", stop.signal);
  expect(outcome).toMatchObject(used);
  expect(events.slice(-2)).toMatchObject([
    { type: "request.completed", usage: { input_tokens: 10, output_tokens: 3 } },
    { type: "turn.failed", error: { code: "interrupted" } },
  ]);
});
