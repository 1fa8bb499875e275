import { createContextMeter, type MeasuredContext } from "@unroll/compaction";
import { type CountedThread, frameTokens, readCountedThread, toUsage } from "@unroll/compaction/fixture/counted-thread";
import type { ResponseItem } from "@unroll/protocol";
import { startScriptedModel } from "@unroll/scripted-model";
import type { BenchResult, BenchRow } from "./bench.ts";

export const name = "token-estimate";

const meanTarget = 5; // %
const worstTarget = 15; // %
/** Counts a request and its answer. */
type Count = (request: CountedThread["requests"][0], items: readonly ResponseItem[]) => Promise<Counted> | Counted;

interface Counted {
  readonly input: number;
  readonly output: number;
}

/** How far the estimate of each request of a recorded thread is off: by the counts of a real encoding, and by our own server's. */
export async function run(): Promise<BenchResult> {
  const thread = readCountedThread();
  return {
    name,
    rows: [
      ...toRows("counts of o200k_base", await replay(thread, createRecordedCount(thread))),
      // it counts bytes, encoded ones too: of a single request that says little
      ...toRows("counts of the scripted server", await replay(thread, createServerCount(thread))).slice(0, 1),
    ],
  };
}

async function replay({ head, requests }: CountedThread, count: Count): Promise<readonly number[]> {
  const meter = createContextMeter(Buffer.byteLength(head.text));
  const items: ResponseItem[] = [];
  let context: MeasuredContext = { items, lastUsage: null, lastSpan: { sent: 0, held: 0 } };
  const errors: number[] = [];
  for (const request of requests) {
    items.push(...request.added);
    const { tokens } = meter.measure(context);
    const { input, output } = await count(request, items);
    errors.push((100 * Math.abs(tokens - input)) / input);
    const sent = items.length;
    items.push(...request.answered);
    context = { items, lastUsage: toUsage(input, output), lastSpan: { sent, held: items.length } };
  }
  return errors;
}

function createRecordedCount({ head }: CountedThread): Count {
  let before = head.tokens;
  return ({ added, added_tokens, answered, answered_tokens }) => {
    const input = before + added_tokens + frameTokens * added.length;
    const output = answered_tokens + frameTokens * answered.length;
    before = input + output;
    return { input, output };
  };
}

function createServerCount({ head }: CountedThread): Count {
  return async ({ answered }, items) => {
    const checks = { fields: false, prefix: false, calls: false };
    await using model = await startScriptedModel({ respond: () => ({ items: answered as never }), checks });
    const body = JSON.stringify({ model: "m", instructions: head.text, input: items });
    const text = await (await fetch(`${model.url}/responses`, { method: "POST", body })).text();
    const [input = 0, output = 0] = ["input", "output"].map((side) =>
      Number(new RegExp(`"${side}_tokens":(\\d+)`).exec(text)?.[1]),
    );
    return { input, output };
  };
}

function toRows(by: string, errors: readonly number[]): readonly BenchRow[] {
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const worst = Math.max(...errors);
  return [
    { label: `mean error, ${by}`, value: mean, unit: "%", target: `<= ${meanTarget} %`, ok: mean <= meanTarget },
    { label: `worst request, ${by}`, value: worst, unit: "%", target: `<= ${worstTarget} %`, ok: worst <= worstTarget },
  ];
}
