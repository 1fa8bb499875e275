import * as fc from "fast-check";
import { expect, test } from "vitest";
import { streamResponse } from "../src/stream/stream-response.ts";
import type { Answer } from "../src/transport/exchange.ts";
import { completed, created, delta, toSse } from "./support/fault-server.ts";
import { joinDeltas } from "./support/join-deltas.ts";
import { collect } from "./support/open-client.ts";

const item = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Grüße, 世界 🌍\u2028\n" }] };
const events = [
  delta("Grüße, 世界 🌍"),
  { type: "response.output_item.done", output_index: 0, item },
  {
    type: "response.output_item.done",
    output_index: 1,
    item: { type: "unknown", itemType: "née", json: '{"type":"née", "🌍":1}' },
  },
];
const wire = [
  "\uFEFF: a comment with 🌍\n\n",
  toSse([created, delta("Grüße, ")]),
  'data: {"type":"response.output_text.delta","item_id":"msg_1",\r\ndata: "output_index":0,"delta":"世界"}\r\n\r\n',
  `id: 1\rdata:${JSON.stringify(delta(" 🌍"))}\r\r`,
  toSse([events[1] as { type: string }]),
  'data: {"type":"response.output_item.done","output_index":1,"item":{"type":"née", "🌍":1}}\n\n',
  "data: no JSON\n\n",
  toSse([completed]),
].join("");
const bytes = new TextEncoder().encode(wire);

/** The events of a body that comes in these pieces. */
async function read(pieces: readonly Uint8Array[]): Promise<unknown> {
  const left = [...pieces];
  const answer: Answer = {
    host: "test",
    status: 200,
    headers: {},
    read: async () => left.shift() ?? null,
    renew: () => {},
    release: () => {},
    destroy: () => {},
  };
  const { events: batches, outcome } = await collect(streamResponse(async () => answer, 1));
  return { events: joinDeltas(batches.flat()), outcome };
}

function cut(positions: readonly number[]): readonly Uint8Array[] {
  const sorted = [0, ...positions.toSorted((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const whole = { events, outcome: { type: "completed", responseId: "resp_1", usage: null } };

test("a stream cut in two at any byte gives the same events", async () => {
  for (let position = 0; position <= bytes.length; position++) expect(await read(cut([position]))).toEqual(whole);
});

test("a stream that comes byte by byte, or in any pieces, gives the same events", async () => {
  expect(await read(cut([...bytes.keys()]))).toEqual(whole);
  const positions = fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(positions, async (each) => {
      expect(await read(cut(each))).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

test("a stream that ends anywhere before its last event is never completed", async () => {
  const lastEvent = bytes.length - new TextEncoder().encode(toSse([completed])).length;
  for (let position = 0; position < bytes.length - 1; position += position < lastEvent ? 7 : 1) {
    await expect(read([bytes.subarray(0, position)])).rejects.toMatchObject({ error: { code: "stream_cut" } });
  }
});

test("an event without an end is given up, not kept in memory", async () => {
  const mebibyte = new Uint8Array(1024 * 1024).fill(0x61);
  const pieces = [new TextEncoder().encode("data: "), ...Array<Uint8Array>(100).fill(mebibyte)];
  await expect(read(pieces)).rejects.toMatchObject({
    error: {
      code: "invalid_answer",
      message: "test could not finish its answer (invalid_answer): an event has no end.",
    },
  });
});
