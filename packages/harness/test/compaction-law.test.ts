import { join } from "node:path";
import { forEach } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import type { SandboxSettings, ThreadEvent, ThreadStore } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import type { CapturedRequest } from "@unroll/scripted-model";
import { defineTool } from "@unroll/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { openThreadWorld, type ThreadWorld } from "./thread-world.ts";

const never = new AbortController().signal;

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

const sandbox: SandboxSettings = {
  mode: "read-only",
  networkAccess: false,
  writableRoots: [],
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
  git: "writable",
  denyRead: [],
  allowWeaker: false,
  limits: { maxProcesses: null, maxMemoryMb: null },
};

const printer = defineTool({
  name: "print",
  description: "Prints.",
  input: z.strictObject({ bytes: z.number() }),
  approval: "run",
  run: async ({ bytes }) => "x".repeat(bytes),
});

function openStore(world: ThreadWorld): ThreadStore {
  const codexHome = join(world.home, ".codex");
  return openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
}

function toPrompt({ body, input }: CapturedRequest): readonly string[] {
  return [
    JSON.stringify([body["model"], body["instructions"], body["tools"]]),
    ...input.map((item) => JSON.stringify(item)),
  ];
}

test("over random threads that are shortened, taken back, changed and resumed, no request breaks the prefix that was not told to", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 12 }), async (actions) => {
      const steps: number[] = [];
      await using world = await openThreadWorld({
        checks: { prefix: false },
        respond: ({ input }) => {
          if (JSON.stringify(input.at(-1)).includes("about to be shortened"))
            return { items: [{ text: "The notes." }] };
          const bytes = steps.pop();
          return { items: [bytes === undefined ? { text: "Done." } : { call: "print", arguments: { bytes } }] };
        },
      });
      const open = (resume?: string): Promise<Thread> =>
        world.openThread({ store: openStore(world), tools: [printer], ...(resume !== undefined && { resume }) });
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
        } else if (each.type === "sandbox") thread.change({ sandboxSettings: { ...sandbox, mode: each.mode } });
        else {
          await thread[Symbol.asyncDispose]();
          thread = await open(thread.id);
        }
      }
      await forEach(thread.run("End.", { signal: never }), note);
      await thread[Symbol.asyncDispose]();
      const prompts = world.model.requests.map(toPrompt);
      const broken = prompts.flatMap((prompt, index) =>
        (prompts[index - 1] ?? []).every((item, at) => prompt[at] === item) ? [] : [index],
      );
      expect(broken.filter((index) => !told.has(index))).toEqual([]);
      // whatever happens, it begins with instructions, tools, permissions and the environment as they were sent first
      expect(prompts.filter((prompt) => !prompts[0]?.slice(0, 3).every((item, at) => prompt[at] === item))).toEqual([]);
      expect(world.model.violations).toEqual([]);
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 5) },
  );
});
