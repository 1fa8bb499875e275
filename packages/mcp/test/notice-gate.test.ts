import { expect, test } from "vitest";
import { createNoticeGate } from "../src/transport/notice-gate.ts";
import { createManualClock } from "./fixture/open-fixture.ts";

test("of the notices that are left out, the last one of each method comes when the second is over", async () => {
  const clock = createManualClock();
  const closing = new AbortController();
  const late: unknown[] = [];
  const { sleep } = clock;
  const gate = createNoticeGate({ sleep, signal: closing.signal, deliver: (message) => late.push(message) });
  const passed = Array.from({ length: 150 }, (_, index) => gate.passes({ method: "a", params: { index } }));
  expect(passed.filter(Boolean)).toHaveLength(100);
  expect(gate.passes({ method: "b" })).toBe(false);
  expect([gate.passes({ method: "ask", id: 1 }), gate.passes({ id: 2, result: {} }), gate.passes(undefined)]).toEqual([
    true,
    true,
    true,
  ]);
  clock.expire();
  await new Promise(setImmediate);
  expect(late).toEqual([{ method: "a", params: { index: 149 } }, { method: "b" }]);
  expect(gate.passes({ method: "a" })).toBe(true);
});
