import { expect, test } from "vitest";
import { createFrameLoop } from "@unroll/screen";

/** A loop on a clock that is moved by hand, and when it wrote what. */
function open(takes: () => boolean = () => true) {
  let now = 0;
  const timers = new Map<object, { due: number; run: () => void }>();
  const written: Array<[number, string]> = [];
  const state = { text: "", shown: "" };
  const loop = createFrameLoop({
    clock: {
      elapsed: () => now,
      setTimer(ms, run) {
        const id = {};
        timers.set(id, { due: now + ms, run });
        return () => void timers.delete(id);
      },
    },
    render() {
      const bytes = state.text === state.shown ? "" : state.text;
      state.shown = state.text;
      return bytes;
    },
    write(bytes) {
      written.push([now, bytes]);
      return takes();
    },
  });
  const wait = (ms: number): void => {
    for (const end = now + ms; now < end; now += 1) {
      for (const [id, { due, run }] of timers) {
        if (due > now) continue;
        timers.delete(id);
        run();
      }
    }
  };
  return { loop, state, written, wait, timers };
}

test("changes of a stream go out at most 30 times a second, and no timer is left where nothing changes", () => {
  const { loop, state, written, wait, timers } = open();
  for (let index = 0; index < 1_000; index += 1) {
    state.text = `delta ${index}`;
    loop.request();
    wait(1);
  }
  wait(100);
  expect(written.length).toBeGreaterThan(28);
  expect(written.length).toBeLessThanOrEqual(32);
  expect(written.at(-1)?.[1]).toBe("delta 999");
  expect(timers.size).toBe(0);
  loop.request();
  wait(100);
  expect([timers.size, written.at(-1)?.[1]]).toEqual([0, "delta 999"]);
});

test("frames that change much come fewer, to 10 a second, and a key is shown at once all the same", () => {
  const { loop, state, written, wait } = open();
  for (let index = 0; index < 1_000; index += 1) {
    state.text = `${index} ${"word ".repeat(1000)}`;
    if (index === 505) loop.requestNow();
    else loop.request();
    wait(1);
  }
  const times = written.map(([at]) => at);
  expect(times).toEqual([0, 100, 200, 300, 400, 500, 508, 608, 708, 808, 908]);
});

test("what a key did is shown at once, and no sooner than 8 ms after the frame before", () => {
  const { loop, state, written, wait } = open();
  wait(100);
  state.text = "a";
  loop.requestNow();
  wait(2);
  state.text = "ab";
  loop.requestNow();
  wait(20);
  expect(written).toEqual([
    [100, "a"],
    [108, "ab"],
  ]);
});

test("a terminal that does not keep up gets no frame until it took the last one, then one of what is now", () => {
  const { loop, state, written, wait } = open(() => false);
  for (const text of ["a", "b", "c"]) {
    state.text = text;
    loop.requestNow();
    wait(50);
  }
  expect(written).toEqual([[0, "a"]]);
  loop.drained();
  expect(written).toEqual([
    [0, "a"],
    [150, "c"],
  ]);
});

test("while another program has the terminal nothing is written", () => {
  const { loop, state, written, wait } = open();
  state.text = "a";
  loop.request();
  loop.pause();
  wait(100);
  expect(written).toEqual([]);
  loop.resume();
  expect(written).toEqual([[100, "a"]]);
});
