import type { Turn, TurnItem } from "@unroll/scripted-model";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const item: fc.Arbitrary<TurnItem> = fc.oneof(
  text.map((reasoning) => ({ reasoning })),
  text.map((query) => ({ search: query })),
  fc.jsonValue({ maxDepth: 2 }).map((payload) => ({ type: "of_tomorrow", payload })),
  fc.constant({ call: "update_plan", arguments: { plan: [{ step: "Go", status: "pending" }] } }),
  fc.constant({ call: "no_such_tool", arguments: {} }),
  text.map((input) => ({ custom: "apply_patch", input })),
  text.map((said) => ({ text: said })),
);
const responses = fc.array(fc.array(item, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
/** Before which response one comes that is cut and has to be asked for again; waiting for it takes real time. */
const cutAt = fc.option(fc.nat(5), { freq: 3 });
const cut: Turn = { items: [{ text: "cut" }], cut: { afterEvents: 3, how: "end" } };

test("the prefix law and one output a call hold over random threads with retries", async () => {
  await fc.assert(
    fc.asyncProperty(responses, cutAt, async (answers, cutIndex) => {
      const turns = answers.flatMap((items, index): Turn[] => (index === cutIndex ? [cut, { items }] : [{ items }]));
      await using world = await openThreadWorld({ script: { turns: [...turns, end], atEnd: "repeat-last" } });
      await using thread = await world.openThread();
      while (world.model.requests.length < turns.length) {
        expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
      }
      expect(world.model.violations).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

const end: Turn = { items: [{ text: "End." }] };
