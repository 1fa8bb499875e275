import { expect, test } from "vitest";
import { watchInterruption } from "@unroll/program";
import { createFakeIo } from "./fixture/fake-io.ts";

test("the first signal interrupts, the same again is one, and a later one ends the process at once", () => {
  const io = createFakeIo();
  using interruption = watchInterruption(io);
  expect([interruption.signal.aborted, interruption.exitCode]).toEqual([false, null]);
  io.send("SIGINT");
  io.pass(400);
  io.send("SIGINT");
  expect([interruption.signal.aborted, interruption.exitCode, io.exits]).toEqual([true, 130, []]);
  io.pass(200);
  io.send("SIGTERM");
  expect(io.exits).toEqual([143]);
});

test("a closed reader stops the program like SIGPIPE, and a full disk is reported", () => {
  const broken = (code: string): number | null => {
    using interruption = watchInterruption(createFakeIo());
    interruption.outputBroken(Object.assign(new Error(code), { code }));
    return interruption.exitCode;
  };
  expect(["EPIPE", "ENOSPC"].map(broken)).toEqual([141, 1]);
});

test("after it is disposed no signal is heard", () => {
  const io = createFakeIo();
  const interruption = watchInterruption(io);
  interruption[Symbol.dispose]();
  io.send("SIGINT");
  expect(interruption.exitCode).toBe(null);
});
