import type { ResponseItem } from "@unroll/protocol";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer, call, createFakeModel, createFakeThread, runToEnd, said } from "./fake-ports.ts";

const text = fc.string({ unit: anyCharacter });
const reasoning = fc.record({
  type: fc.constant("reasoning" as const),
  id: fc.string(),
  summary: fc.array(fc.record({ type: fc.constant("summary_text" as const), text })),
  encrypted_content: text,
  content: fc.constant(null),
});
const unknown = fc
  .record({ type: fc.constant("of_tomorrow"), payload: fc.jsonValue() })
  .map((item): ResponseItem => ({ type: "unknown", itemType: item.type, json: JSON.stringify(item, null, 1) }));
const response = fc.record({ before: fc.array(fc.oneof(reasoning, unknown)), calls: fc.nat(3), text });
const turn = fc.record({ input: text, responses: fc.array(response, { minLength: 1, maxLength: 4 }) });

test("each request is a byte prefix of the next, whatever the thread holds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      let calls = 0;
      const answers = turns.flatMap(({ responses }) =>
        responses.map(({ before, calls: count, text: said_ }, index) => {
          const asks = index === responses.length - 1 ? 0 : count + 1;
          const callItems = Array.from({ length: asks }, () => call(`call_${calls++}`));
          return answer(...before, said(said_), ...callItems);
        }),
      );
      const model = createFakeModel(answers);
      const thread = createFakeThread(model);
      for (const { input } of turns) await runToEnd(thread, input);
      for (const [index, body] of model.bodies.slice(1).entries()) {
        const before = model.bodies[index] ?? "";
        expect(body.startsWith(before.slice(0, -"]}".length))).toBe(true);
        expect(() => JSON.parse(body) as unknown).not.toThrow();
      }
    }),
    { numRuns: 60 },
  );
});
