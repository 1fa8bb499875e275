import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StepGuard } from "@unroll/core";
import type { Thread } from "@unroll/harness";
import type { Journal, JournalEntry, ThreadEvent } from "@unroll/protocol";
import type { CapturedRequest, Turn, TurnItem } from "@unroll/scripted-model";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openThreadWorld, type ThreadWorld } from "./thread-world.ts";

/** `UNROLL_PROPERTY_RUNS=500` looks longer. */
const runs = Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 12);

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const item: fc.Arbitrary<TurnItem> = fc.oneof(
  text.map((reasoning) => ({ reasoning })),
  fc.constant({ call: "update_plan", arguments: { plan: [{ step: "Go", status: "pending" }] } }),
  fc.constant({ call: "no_such_tool", arguments: {} }),
  text.map((said) => ({ text: said })),
);
type Answer = { readonly items: readonly TurnItem[]; readonly fault: "none" | "stale" };
const answers = fc.array(
  fc.record({ items: fc.array(item, { maxLength: 3 }), fault: fc.constantFrom("none", "none", "none", "stale") }),
  { minLength: 1, maxLength: 3 },
) as fc.Arbitrary<readonly Answer[]>;

/** What a person, a program or the world does to a thread. */
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("run" as const), answers, steer: fc.boolean() }) },
  fc.record({
    type: fc.constant("change" as const),
    change: fc.oneof(
      fc.constantFrom("never", "untrusted", "on-request").map((approvalPolicy) => ({ approvalPolicy }) as const),
      fc.constantFrom("low", "high").map((reasoningEffort) => ({ reasoningEffort }) as const),
      fc.constantFrom("", "sub").map((folder) => ({ folder }) as const),
    ),
  }),
  fc.record({ type: fc.constant("document" as const), text: fc.constantFrom("Use tabs.", "Use spaces.", "") }),
  fc.record({ type: fc.constant("skill" as const), isThere: fc.boolean() }),
  fc.record({ type: fc.constant("compact" as const) }),
  fc.record({
    type: fc.constant("resume" as const),
    model: fc.constantFrom("gpt-5-codex", "gpt-5-codex", "gpt-5"),
    sandbox: fc.constantFrom("danger-full-access", "read-only"),
    instructions: fc.constantFrom("", "Be kind."),
    tool: fc.constantFrom("shell_command", "shell_command", "exec_command"),
  }),
);
type Act = typeof act extends fc.Arbitrary<infer Each> ? Each : never;

test("whatever happens to a thread, no request breaks the prefix that was not announced, and nothing is told twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 9 }), async (acts) => {
      const run = await playThread(acts);
      expect(run.violations).toEqual([]);
      for (const input of run.inputs) expect(listRepeated(input)).toEqual([]);
    }),
    { numRuns: runs },
  );
});

interface Played {
  readonly violations: readonly unknown[];
  readonly inputs: readonly CapturedRequest["input"][];
}

async function playThread(acts: readonly Act[]): Promise<Played> {
  let planned: Answer[] = [];
  let announced = 0;
  let allowed = 0;
  let isCompacting = false;
  const respond = ({ input }: CapturedRequest): Turn => {
    const newEpoch = announced > allowed;
    allowed = announced;
    const { items, fault } = planned.shift() ?? { items: [{ text: "End." }], fault: "none" };
    const isStale = fault === "stale" && input.some((each) => "encrypted_content" in each);
    return isStale ? { stale: true, newEpoch } : { items, newEpoch };
  };
  const hear = (event: ThreadEvent): void => void (announced += event.type === "epoch.opened" ? 1 : 0);
  const compaction: StepGuard = {
    // oxlint-disable-next-line require-yield -- the loop tells
    async *before({ items }) {
      if (!isCompacting) return { type: "go" };
      isCompacting = false;
      return { type: "compact", items: items.filter(({ type }) => type !== "reasoning"), cause: "it was long" };
    },
  };

  await using world = await openThreadWorld({ respond }, { files: { "sub/x": "", "AGENTS.md": "Use tabs." } });
  const entries: JournalEntry[] = [];
  const journal: Journal = { record: (entry) => void entries.push(entry), settled: () => Promise.resolve() };
  const open = (config: readonly string[]): Promise<Thread> =>
    world.openThread({ config, journal, entries: [...entries], guards: [compaction], allowPrefixBreak: true });
  let thread = await open([]);
  for (const each of acts) {
    switch (each.type) {
      case "run":
        planned = [...each.answers];
        await play(thread, { isSteered: each.steer, hear });
        break;
      case "change":
        thread.change("folder" in each.change ? { cwd: join(world.work, each.change.folder) } : each.change);
        break;
      case "compact":
        isCompacting = true;
        break;
      case "document":
      case "skill":
        await changeFiles(world, each);
        break;
      case "resume":
        await thread[Symbol.asyncDispose]();
        thread = await open(toConfig(each));
    }
  }
  await play(thread, { isSteered: false, hear });
  await thread[Symbol.asyncDispose]();
  return { violations: world.model.violations, inputs: world.model.requests.map(({ input }) => input) };
}

async function play(
  thread: Thread,
  { isSteered, hear }: { readonly isSteered: boolean; readonly hear: (event: ThreadEvent) => void },
): Promise<void> {
  let isSent = !isSteered;
  for await (const event of thread.run("Go", { signal: new AbortController().signal })) {
    hear(event);
    if (isSent || event.type !== "turn.started") continue;
    isSent = true;
    await thread.send("And this.");
  }
}

async function changeFiles(world: ThreadWorld, each: Extract<Act, { type: "document" | "skill" }>): Promise<void> {
  if (each.type === "document") return writeFile(join(world.work, "AGENTS.md"), each.text);
  const folder = join(world.home, ".agents/skills/zip");
  if (!each.isThere) return rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "SKILL.md"), "---\nname: zip\ndescription: Packs.\n---\nZip.");
}

function toConfig({ model, sandbox, instructions, tool }: Extract<Act, { type: "resume" }>): readonly string[] {
  const own = instructions === "" ? [] : [`developer_instructions=${JSON.stringify(instructions)}`];
  return [`model=${model}`, `sandbox_mode=${sandbox}`, `shell_tool=${tool}`, ...own];
}

const kinds = [
  /<environment_context>/,
  /<permissions instructions>/,
  /^<user_instructions>\n# AGENTS/,
  /^<user_instructions>\n# Skills/,
  /developer instructions (?:have changed|any more)/,
];

/** Messages of a kind that say what the one of the same kind before them said. */
function listRepeated(input: CapturedRequest["input"]): readonly string[] {
  const texts = input.flatMap(({ type, role, content }) =>
    type === "message" && role !== "assistant" && Array.isArray(content)
      ? [content.map((part: { readonly text?: string }) => part.text ?? "").join("")]
      : [],
  );
  return kinds.flatMap((kind) => {
    const told = texts.filter((each) => kind.test(each));
    return told.filter((each, index) => index > 0 && each === told[index - 1]);
  });
}
