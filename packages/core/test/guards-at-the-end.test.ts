import type { EndFacts, EndVerdict, StepGuard } from "@unroll/core";
import type { ThreadEvent } from "@unroll/protocol";
import { expect, test } from "vitest";
import { answer, call, createFakeModel, createFakeThread, runToEnd, said, user } from "./fake-ports.ts";

function guard(
  decide: (facts: EndFacts) => EndVerdict | Promise<EndVerdict>,
  told: readonly ThreadEvent[] = [],
): StepGuard {
  return {
    // oxlint-disable-next-line require-yield -- this one has nothing to tell
    async *before() {
      return { type: "go" };
    },
    async *end(facts) {
      yield* told;
      return decide(facts);
    },
  };
}

const testFirst: EndVerdict = { type: "continue", say: [user("Run the tests first.")] };

test("a guard continues a turn that would end, with what it says to the model", async () => {
  const seen: EndFacts[] = [];
  const hook = guard((facts) => {
    seen.push({ ...facts, items: [...facts.items] });
    return facts.continued === 0 ? testFirst : { type: "end" };
  });
  const model = createFakeModel([answer(said("Done.")), answer(call("a")), answer(said("All pass."))]);
  const thread = createFakeThread(model, { guards: [hook] });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "All pass." });
  expect(thread.ports.state.transcript.items.slice(0, 3)).toEqual([
    user("Go"),
    said("Done."),
    user("Run the tests first."),
  ]);
  expect(seen).toMatchObject([
    { turnId: "turn-1", finalMessage: "Done.", continued: 0, requests: 1, usage: { input_tokens: 10 } },
    { turnId: "turn-1", finalMessage: "All pass.", continued: 1, requests: 3, usage: { input_tokens: 30 } },
  ]);
});

test("all guards are asked, and what each says goes into one request", async () => {
  const first = guard(({ continued }) => (continued === 0 ? testFirst : { type: "end" }));
  const second = guard(({ continued }) =>
    continued === 0 ? { type: "continue", say: [user("And the lint.")] } : { type: "end" },
  );
  const model = createFakeModel([answer(said("Done.")), answer(said("Now it is."))]);
  const thread = createFakeThread(model, { guards: [first, second] });
  await runToEnd(thread, "Go");
  expect(model.bodies).toHaveLength(2);
  expect(model.bodies[1]).toContain("Run the tests first.");
  expect(model.bodies[1]).toContain("And the lint.");
});

test("what people say while a guard is asked continues the turn, too", async () => {
  const model = createFakeModel([answer(said("Done.")), answer(said("Then that."))]);
  const thread = createFakeThread(model, {
    guards: [
      guard(({ continued, requests }) => {
        if (requests === 1) thread.ports.state.inbox.put([user("One more thing.")]);
        return continued === 0 ? { type: "end" } : testFirst;
      }),
    ],
  });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Then that." });
  expect(model.bodies[1]).toContain("One more thing.");
});

test("a guard may send events and then fail a turn at its end, and a guard that throws fails the turn, too", async () => {
  const error = { code: "tests_failed", message: "Two tests fail." };
  const told: ThreadEvent = { type: "warning", message: "The tests are run." };
  const strict = createFakeThread(createFakeModel([answer(said("Done."))]), {
    guards: [guard(() => ({ type: "stop", error }), [told])],
  });
  const { events, outcome } = await runToEnd(strict, "Go");
  expect(outcome).toMatchObject({ type: "failed", error });
  expect(events).toContainEqual(told);
  const broken = createFakeThread(createFakeModel([answer(said("Done."))]), {
    guards: [guard(() => Promise.reject(new Error("no shell")))],
  });
  expect((await runToEnd(broken, "Go")).outcome).toMatchObject({
    type: "failed",
    error: { code: "guard_failed", message: "A guard failed: no shell" },
  });
});

test("a guard that is still asked when the turn is interrupted is left alone", async () => {
  const interruption = new AbortController();
  const endless = guard(() => {
    interruption.abort();
    return new Promise<EndVerdict>(() => {});
  });
  const thread = createFakeThread(createFakeModel([answer(said("Done."))]), { guards: [endless] });
  expect((await runToEnd(thread, "Go", interruption.signal)).outcome.type).toBe("interrupted");
});

test("a guard that always continues the turn is not asked for ever", async () => {
  const model = createFakeModel(Array.from({ length: 101 }, () => answer(said("Done."))));
  const { events, outcome } = await runToEnd(createFakeThread(model, { guards: [guard(() => testFirst)] }), "Go");
  expect(outcome.type).toBe("completed");
  expect(model.bodies).toHaveLength(101);
  expect(events).toContainEqual({ type: "warning", message: "A guard has continued the turn 100 times: it ends now." });
});
