import { forEach } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import type { Journal, JournalEntry, ThreadEvent } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  asksForNotes,
  extendsPrompt,
  never,
  notes,
  openPrintingWorld,
  readOnly,
  toPrompt,
} from "./compaction-world.ts";

/** What is done to a thread, in turn. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("say" as const),
      steps: fc.nat(3),
      bytes: fc.integer({ min: 1, max: 30_000 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ type: "compact" as const }) },
  fc.constant({ type: "undo" as const }),
  fc.constant({ type: "resume" as const }),
  fc
    .constantFrom("read-only" as const, "danger-full-access" as const)
    .map((mode) => ({ type: "sandbox" as const, mode })),
);

test("over random threads that are shortened, taken back, changed and resumed, no request breaks the prefix that was not told to", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (actions) => {
      const steps: number[] = [];
      await using world = await openPrintingWorld({
        checks: { prefix: false },
        respond: (request) => {
          if (asksForNotes(request)) return { items: [{ text: notes }] };
          const bytes = steps.pop();
          return { items: [bytes === undefined ? { text: "Done." } : { call: "print", arguments: { bytes } }] };
        },
      });
      const entries: JournalEntry[] = [];
      const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
      const open = (): Promise<Thread> =>
        world.openThread({ journal, ...(entries.length > 0 && { entries: [...entries] }) });
      const told = new Set<number>();
      const note = (event: ThreadEvent): void => {
        if (event.type === "epoch.opened") told.add(world.model.requests.length);
      };
      let thread = await open();
      await forEach(thread.run("Begin.", { signal: never }), note);
      for (const each of actions) {
        if (each.type === "say") {
          steps.push(...Array.from({ length: each.steps }, () => each.bytes));
          await forEach(thread.run("Go on.", { signal: never }), note);
        } else if (each.type === "compact") await forEach(thread.compact({ signal: never }), note);
        else if (each.type === "undo") {
          const undone = await thread.undoCompaction().then(
            () => true,
            () => false,
          );
          if (undone) told.add(world.model.requests.length);
        } else if (each.type === "sandbox") thread.change({ sandboxSettings: { ...readOnly, mode: each.mode } });
        else {
          await thread[Symbol.asyncDispose]();
          thread = await open();
        }
      }
      await forEach(thread.run("End.", { signal: never }), note);
      await thread[Symbol.asyncDispose]();
      const prompts = world.model.requests.map(toPrompt);
      const broken = prompts.flatMap((prompt, index) =>
        extendsPrompt(prompt, prompts[index - 1] ?? []) ? [] : [index],
      );
      expect(broken.filter((index) => !told.has(index))).toEqual([]);
      // whatever happens, it begins with instructions, tools, permissions and the environment as they were sent first
      expect(prompts.filter((prompt) => !extendsPrompt(prompt, prompts[0]?.slice(0, 3) ?? []))).toEqual([]);
      expect(world.model.violations).toEqual([]);
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 5) },
  );
});
