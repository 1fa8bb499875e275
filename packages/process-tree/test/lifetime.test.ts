import { expect, it, vi } from "vitest";
import { createLifetime } from "../src/run/lifetime.ts";
import type { ChildExit } from "../src/spawn/child.ts";

// A command's remaining processes may compute for as long as they like: only an interrupt ends
// them.
vi.mock("../src/wait/start-patience.ts", () => ({ startPatience: () => () => {} }));

const exit: ChildExit = { exitCode: 3, signal: null };

it.each(["an abort", "the time limit"])("%s is heard while what a command left behind is waited for", async (what) => {
  const controller = new AbortController();
  const over = Promise.withResolvers<void>();
  let exited = (_exit: ChildExit): void => {};
  let expire = (): void => {};
  const child = {
    pid: 1,
    stdin: null,
    outputs: {},
    onExit: (listener: typeof exited) => void (exited = listener),
    write: () => {},
    resize: () => {},
  };
  const lifetime = createLifetime(child, {
    // Nobody's: what is looked for is not there.
    tree: { leader: 2 ** 30, marker: "lifetime-test.1" },
    timeoutMs: 1_000,
    setTimer: (_ms, run) => {
      expire = run;
      return () => {};
    },
    signal: controller.signal,
    elapsed: () => 0,
    wake: () => lifetime.isOver() && over.resolve(),
  });
  exited(exit);
  await Promise.resolve();
  expect({ isOver: lifetime.isOver(), end: lifetime.end() }).toEqual({
    isOver: false,
    end: { reason: "exited", exit },
  });
  if (what === "an abort") controller.abort();
  else expire();
  await over.promise;
  // It had ended by itself; only what it left behind was interrupted.
  expect(lifetime.end()).toEqual({ reason: "exited", exit });
  await lifetime.finish();
});

/** Nobody catches an error of a timer's callback, so Vitest fails the run for it. */
it("a fault while a timer stops a command ends the command, and its reader gets the fault", async () => {
  const over = Promise.withResolvers<void>();
  let expire = (): void => {};
  const child = {
    pid: 1,
    stdin: null,
    outputs: {},
    onExit: () => {},
    write: () => {},
    resize: () => {},
  };
  const lifetime = createLifetime(child, {
    tree: {
      leader: 2 ** 30,
      marker: "lifetime-test.2",
      findInit() {
        throw new Error("too many open files");
      },
    },
    timeoutMs: 1_000,
    setTimer: (_ms, run) => {
      expire = run;
      return () => {};
    },
    signal: new AbortController().signal,
    elapsed: () => 0,
    wake: () => lifetime.isOver() && over.resolve(),
  });
  expire();
  await over.promise;
  expect(lifetime.end()).toEqual({ reason: "timed_out", exit: null });
  await expect(lifetime.finish()).rejects.toThrow("too many open files");
});
