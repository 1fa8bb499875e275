import { createContextMeter, createTokenEstimator, type MeasuredContext } from "@unroll/compaction";
import type { ContentPart, MessageItem, ResponseItem } from "@unroll/protocol";
import { countBytes } from "@unroll/text";
import { expect, test } from "vitest";
import { frameTokens, readCountedThread, toUsage } from "./fixture/counted-thread.ts";

const counted = readCountedThread();

/** How far the estimate of each request is off, as a share of it. `factor`: a tokenizer that needs so many times the tokens. */
function replay(factor = 1): readonly number[] {
  const meter = createContextMeter(countBytes(counted.head.text));
  const items: ResponseItem[] = [];
  let tokens = factor * counted.head.tokens;
  let context: MeasuredContext = { items, lastUsage: null, lastSpan: { sent: 0, held: 0 } };
  return counted.requests.map(({ added, added_tokens, answered, answered_tokens }) => {
    items.push(...added);
    const { tokens: estimated } = meter.measure(context);
    tokens += factor * added_tokens + frameTokens * added.length;
    const error = Math.abs(estimated - tokens) / tokens;
    const sent = items.length;
    items.push(...answered);
    const output = factor * answered_tokens + frameTokens * answered.length;
    context = { items, lastUsage: toUsage(tokens, output), lastSpan: { sent, held: items.length } };
    tokens += output;
    return error;
  });
}

test("each request of a real thread (code, JSON, a lock file, logs, Chinese, hexadecimal) is estimated within an eighth, and on the whole within 3 %", () => {
  const errors = replay();
  expect(Math.max(...errors)).toBeLessThan(0.125);
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.03);
});

test.for([0.6, 1.6])("a model that counts otherwise is learned from its own counts (%s times the tokens)", (factor) => {
  const errors = replay(factor);
  expect(errors[0]).toBeGreaterThan(0.3);
  expect(Math.max(...errors.slice(4))).toBeLessThan(0.12);
});

test("a count that cannot be of this text is not learned from", () => {
  const estimator = createTokenEstimator();
  const items: readonly MessageItem[] = [
    { type: "message", role: "user", content: [{ type: "input_text", text: "word ".repeat(1000) }] },
  ];
  for (const tokens of [0, 3, -5, 1_000_000]) estimator.learn({ items, tokens });
  expect(estimator.bytesPerToken).toBe(4);
  estimator.learn({ items, tokens: 2_000 });
  expect(estimator.bytesPerToken).toBeLessThan(3.5);
});

const png = (width: number, height: number): string => {
  const bytes = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(1000)]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString("base64")}`;
};
const jpeg = `data:image/jpeg;base64,${Buffer.from("ffd8ffe00004aaaaffc0000b08030004000100", "hex").toString("base64")}`;
const gif = `data:image/gif;base64,${Buffer.from("47494638396100040003", "hex").toString("base64")}`;
const webp = (chunk: string, rest: string): string =>
  `data:image/webp;base64,${Buffer.from(`524946460000000057454250${chunk}${rest}${"00".repeat(20)}`, "hex").toString("base64")}`;

test.for([
  ["a small one: one tile", png(512, 512), {}, 210],
  ["1024 x 768: four tiles", png(1024, 768), {}, 630],
  ["scaled to 768 on its shorter side", png(4096, 4096), {}, 630],
  ["long and narrow, scaled into 2048", png(8192, 1024), {}, 630],
  ["at low detail", png(4096, 4096), { detail: "low" }, 70],
  ["a JPEG, its size behind other segments", jpeg, {}, 630],
  ["a GIF", gif, {}, 630],
  ["a WebP, extended", webp("56503858", "0a00000000000000ff0300ff0200"), {}, 630],
  ["a WebP, lossy", webp("56503820", "000000000000009d012a00040003"), {}, 630],
  ["a WebP, lossless", webp("5650384c", "000000002fffc3bf00"), {}, 630],
  ["a link", "https://example.org/a.png", {}, 630],
  ["no image at all", "data:image/png;base64,AAAA", {}, 630],
] as const)("an image costs by its size in pixels, not by its bytes: %s", ([, image_url, more, tokens]) => {
  const part: ContentPart = { type: "input_image", image_url, ...more };
  const estimate = createTokenEstimator().estimate([{ type: "message", role: "user", content: [part] }]);
  expect(estimate).toBe(tokens + frameTokens);
});

test("what a server encrypted counts as what is in it, and not as its text", () => {
  const sealed = "A".repeat(4000);
  const estimator = createTokenEstimator();
  const item = {
    type: "reasoning",
    summary: [{ type: "summary_text", text: "x".repeat(9000) }],
    encrypted_content: sealed,
  } as const;
  expect(estimator.estimate([item])).toBe(frameTokens + 625);
  expect(estimator.estimate([{ type: "compaction", encrypted_content: sealed }])).toBe(frameTokens + 625);
});
