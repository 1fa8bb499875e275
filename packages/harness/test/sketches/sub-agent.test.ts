// A sub-agent on the seams alone: a tool that opens a thread of the same harness, with a budget of its own.
import type { StepGuard } from "@unroll/core";
import type { Harness, Thread } from "@unroll/harness";
import { defineTool } from "@unroll/tools";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, runToEnd } from "../thread-world.ts";

const mostRequests: StepGuard = {
  // oxlint-disable-next-line require-yield -- it has nothing to tell
  async *before({ requests }) {
    if (requests < 3) return { type: "go" };
    return { type: "stop", error: { code: "budget", message: "A sub-agent may make three requests." } };
  },
};

function createDelegateTool(harness: Harness, parent: () => Thread): ReturnType<typeof defineTool> {
  return defineTool({
    name: "delegate",
    description: "Gives a task to another agent and returns its answer.",
    input: z.strictObject({ task: z.string() }),
    async run({ task }, { signal }) {
      await using child = await harness.openThread({ parent: parent(), guards: [mostRequests] });
      const { outcome } = await runToEnd(child, task, { signal });
      switch (outcome.type) {
        case "completed":
          return { output: outcome.finalMessage ?? "It said nothing." };
        case "failed":
          return { output: `It failed: ${outcome.error.message}` };
        case "interrupted":
          return { output: "It was stopped." };
      }
    },
  });
}

test("a tool opens a thread of the same harness and gives its answer back", async () => {
  const turns = [
    { items: [{ call: "delegate", arguments: { task: "Count the files." } }] },
    { items: [{ text: "There are two." }] },
    { items: [{ text: "The other agent found two files." }] },
  ];
  await using world = await openThreadWorld({ script: { turns } });
  await using harness = await world.openHarness();
  const thread: Thread = await harness.openThread({ tools: [createDelegateTool(harness, () => thread)] });
  expect((await runToEnd(thread, "How many files are there?")).outcome).toMatchObject({
    finalMessage: "The other agent found two files.",
  });
  expect(world.model.violations).toEqual([]);
  const [first, second, third] = world.model.requests;
  expect(second?.headers["thread-id"]).not.toBe(first?.headers["thread-id"]);
  expect(third?.input.at(-1)).toMatchObject({ type: "function_call_output", output: "There are two." });
});
