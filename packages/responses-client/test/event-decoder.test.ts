import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventDecoder, isDelta } from "../src/decode/decode-event.ts";

const event = fc.record(
  {
    type: fc.constantFrom("response.output_text.delta", "response.function_call_arguments.delta", "response.created"),
    sequence_number: fc.oneof(fc.nat(), fc.double(), fc.constant(-0), fc.string()),
    item_id: fc.constantFrom("msg_1", "msg_1", "msg_1", 'm"2'),
    output_index: fc.constantFrom(0, 0, 0, 1, "0"),
    delta: fc.oneof(fc.string({ maxLength: 6 }), fc.string({ unit: anyCharacter }), fc.constantFrom(null, 1)),
    logprobs: fc.constantFrom([], [], [{ token: "a" }]),
    obfuscation: fc.oneof(fc.string(), fc.nat()),
  },
  { requiredKeys: ["delta"] },
);

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(2),
  put: fc.constantFrom("", "\\", '"', "\t", " ", "0", "}", ",", "[1]", '"delta":"b",', "é", "\u{1f44d}"),
});

/** Some servers write keys in another order, or blanks between the parts. */
const text = fc
  .record({
    event,
    reversed: fc.boolean(),
    blanks: fc.constantFrom(0, 0, 0, 1),
    mutations: fc.array(mutation, { maxLength: 2 }),
  })
  .map(({ event: fields, reversed, blanks, mutations }) => {
    const entries = Object.entries(fields);
    const json = JSON.stringify(Object.fromEntries(reversed ? entries.toReversed() : entries), null, blanks).replaceAll(
      "\n",
      "",
    );
    return mutations.reduce((written, { at, cut, put }) => {
      const place = Math.floor(at * written.length);
      return written.slice(0, place) + put + written.slice(place + cut);
    }, json);
  });

test("an event behind others is read as it is by itself, however alike they are written", () => {
  let alike = 0;
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.boolean(), (texts, repeat) => {
      const decode = createEventDecoder();
      const sent = repeat ? texts.flatMap((json) => [json, json, json.replace(/"delta":"\w*/, '"delta":"x')]) : texts;
      for (const json of sent) {
        // a server may write the type of an event into a line of its own, and not into its data
        const event = json.length % 2 === 0 ? "response.output_text.delta" : undefined;
        const data = Buffer.from(json).toString("latin1"); // as the bytes that it is
        const alone = createEventDecoder()({ event, data });
        const behind = decode({ event, data });
        expect(behind).toStrictEqual(alone);
        expect(JSON.stringify(behind)).toBe(JSON.stringify(alone)); // its members in their order, too
        if (alone !== null && isDelta(alone)) alike++;
      }
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 300) },
  );
  expect(alike).toBeGreaterThan(100);
});
