import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { runToEnd } from "../thread-world.ts";
import { config, openWorld, outputsOf, say, start } from "./agent-world.ts";

const wait = (given: object): Turn => ({ items: [{ call: "wait_agent", arguments: given }] });

test("a call waits for the first of several sub-agents or for all, and no longer than its limit", async () => {
  const working = Promise.withResolvers<Turn>();
  const both = ["a", "b"].map((message) => ({ message, wait: false }));
  const steps = [
    start(...both),
    wait({ targets: ["a", "b"], until: "any" }),
    wait({ targets: ["b"], timeout_ms: 0 }),
    wait({ targets: ["a", "b"] }),
  ];
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 3) working.resolve(say("B."));
      return steps[step] ?? say("End.");
    },
    a: () => say("A."),
    b: () => working.promise,
  });
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Ask");
  const a = "Sub-agent a (thread ID): completed\nused: N tokens\n\nA.";
  const b = "Sub-agent b (thread ID): completed\nused: N tokens\n\nB.";
  const running = expect.stringMatching(/^Sub-agent b \(thread ID\): still running\. /) as string;
  expect(outputsOf(world.model.requests.at(-1)).slice(2)).toEqual([
    expect.stringMatching(/^Sub-agent a [^]*\n\nA\.\n\nSub-agent b \(thread ID\): still running\. /),
    running,
    `${a}\n\n${b}`,
  ]);
});

test("a report has at most about 2,000 tokens, its beginning and its end", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "long" }) : say("End.")),
    long: () => say(`First. ${"word ".repeat(10_000)} Last.`),
  });
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Ask");
  const [report = ""] = outputsOf(world.model.requests.at(-1));
  expect(report).toMatch(/^Sub-agent long \(thread ID\): completed\nused: N tokens\n\nFirst\. [^]* Last\.$/);
  expect(Buffer.byteLength(report)).toBeLessThan(8_300);
});
