import { followSignals, untilAborted } from "@unroll/flow";
import { expect, test } from "vitest";

test("a signal follows the first that aborts, for its reason, also one that did before", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  using followed = followSignals([first.signal, second.signal]);
  expect(followed.signal.aborted).toBe(false);
  second.abort("the second");
  first.abort("the first");
  expect(followed.signal.reason).toBe("the second");
  using late = followSignals([new AbortController().signal, first.signal]);
  expect(late.signal.reason).toBe("the first");
});

test("a signal that was disposed follows nobody", () => {
  const other = new AbortController();
  const followed = followSignals([other.signal]);
  followed[Symbol.dispose]();
  other.abort();
  expect(followed.signal.aborted).toBe(false);
});

test("a wait ends with its promise, or with null as soon as the signal aborts", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  const late = Promise.withResolvers<number>();
  const waiting = untilAborted(late.promise, signal);
  controller.abort();
  expect(await waiting).toBeNull();
  late.reject(new Error("nobody waits"));
  expect(await untilAborted(Promise.reject(new Error("nor now")), signal)).toBeNull();
});
