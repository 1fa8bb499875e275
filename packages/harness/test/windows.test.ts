import fc from "fast-check";
import { expect, test } from "vitest";
import { asksForNotes, listMissing, print, say, toPrompt } from "./compaction-world.ts";
import { runToEnd, type ThreadWorld } from "./thread-world.ts";
import {
  countTokens,
  openSmallThread,
  openWindowedWorld,
  type OverflowWords,
  overflowWords,
  refuseWith,
  statuses,
} from "./windowed-world.ts";

const sizes = fc.integer({ min: 100, max: 24_000 });
const threads = fc.record({
  words: fc.constantFrom(...overflowWords),
  status: fc.constantFrom(...statuses),
  window: fc.constantFrom(4_096, 8_192, 12_288),
  prints: fc.array(sizes, { minLength: 4, maxLength: 10 }),
});

test("whatever words and status a server refuses a full window with, the thread is compacted and continues", async () => {
  await fc.assert(
    fc.asyncProperty(threads, async ({ words, status, window, prints }) => {
      const refuse = refuseWith(words, status, window);
      await using world = await openWindowedWorld({ window, refuse, turns: prints.map(print) });
      await using thread = await openSmallThread(world);
      for (const input of ["Count.", "Count on.", "And once more."]) {
        const { outcome } = await runToEnd(thread, input);
        expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
      }
      // where the server says how large its window is, the summary has room in it
      const mostTokens = words.contextWindow === null ? Infinity : window - 350;
      expect(listSummaries(world).filter((tokens) => tokens > mostTokens)).toEqual([]);
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 25) },
  );
});

function listSummaries({ model }: ThreadWorld): readonly number[] {
  return model.requests.filter(asksForNotes).map(countTokens);
}

const llamaServer = overflowWords.find(({ server }) => server === "llama-server") as OverflowWords;

test("in a window that has no room for them the summary is asked for without instructions and tools", async () => {
  const window = 4096;
  const turns = [print(3000), print(3100), print(3200), print(3300)];
  await using world = await openWindowedWorld({ window, refuse: refuseWith(llamaServer, 400, window), turns });
  const instructions = "Be brief. ".repeat(1050);
  await using thread = await openSmallThread(world, { instructions });
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(events.some(({ type }) => type === "compaction.completed")).toBe(true);
  const summaries = world.model.requests.filter(asksForNotes);
  expect(summaries.map(({ body }) => [body["tools"], String(body["instructions"]).slice(0, 25)])).toEqual(
    summaries.map(() => [undefined, "You are a coding agent. W"]),
  );
  expect(JSON.stringify(summaries[0]?.input.at(-1))).toContain("Write at most 245 words");
});

test("where instructions and tools fill nearly all of the window, one long output is summed up within the turn", async () => {
  const window = 4096;
  const turns = [print(4000), say("Well."), print(4100)];
  await using world = await openWindowedWorld({ window, refuse: refuseWith(llamaServer, 400, window), turns });
  await using thread = await openSmallThread(world, { instructions: "Be brief. ".repeat(1250) });
  for (const finalMessage of ["Well.", "Done."]) {
    const { events, outcome } = await runToEnd(thread, "Count.");
    expect(outcome).toMatchObject({ type: "completed", finalMessage });
    expect(events.filter(({ type }) => type === "compaction.completed")).toHaveLength(1);
    const answered = world.model.requests.at(-1);
    expect(answered?.input.length).toBeGreaterThan(1);
    expect(listMissing(toPrompt(answered), ["Count.", "Task: count."])).toEqual([]);
  }
});

test("a conversation that its server does not take is compacted even where the model writes no summary", async () => {
  const window = 8192;
  const nothing = { items: [{ reasoning: "Hm." }] };
  await using world = await openWindowedWorld({
    window,
    refuse: refuseWith(llamaServer, 400, window),
    turns: [print(9000), print(9100), print(9200), print(9300)],
    answer: (request) => (asksForNotes(request) || asksAgain(request.raw) ? nothing : null),
  });
  await using thread = await openSmallThread(world, { config: ["model_auto_compact_token_limit=100000"] });
  const { events, outcome } = await runToEnd(thread, "Count.");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(events).toContainEqual({
    type: "warning",
    message:
      "The old part of the thread is removed without a summary, because none could be written: The model wrote no summary, even when asked twice.",
  });
  expect(listMissing(toPrompt(world.model.requests.at(-1)), ["Count.", "No notes could be written"])).toEqual([]);
});

function asksAgain(raw: Uint8Array): boolean {
  return Buffer.from(raw).toString().includes("There were no notes in that answer");
}

test("a message that is longer than the window fails its turn, says why, and does not end the thread", async () => {
  const window = 8192;
  await using world = await openWindowedWorld({ window, refuse: refuseWith(llamaServer, 400, window), turns: [] });
  await using thread = await openSmallThread(world);
  await runToEnd(thread, "Count.");
  const { events, outcome } = await runToEnd(thread, "word ".repeat(9000));
  expect(outcome).toMatchObject({ type: "failed", error: { code: "context_length_exceeded" } });
  expect(events).toContainEqual({
    type: "warning",
    message: expect.stringMatching(
      /^Not compacted: instructions, tools, the first messages and your last one take about [\d,]+ tokens, and the context window has 8,192\. For more room, start the server with a larger one \(llama-server: -c/,
    ) as string,
  });
  expect((await runToEnd(thread, "Shorter.")).outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
});
