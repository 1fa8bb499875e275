import {
  type CompactionInput,
  countLeastTokens,
  createTokenEstimator,
  cutNotes,
  fitMaterial,
  planCompaction,
  readServerItems,
  toCompactedItems,
} from "@unroll/compaction";
import { type MessageItem, readAuthor, type ResponseItem, withAuthor } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";

function message(role: MessageItem["role"], text: string): MessageItem {
  const type = role === "assistant" ? "output_text" : "input_text";
  const made: MessageItem = { type: "message", role, content: [{ type, text }] };
  const [, fragment = ""] = /^<([a-z_]+)>/.exec(text) ?? [];
  return fragment === "" || role === "assistant" ? made : withAuthor(made, { type: "harness", fragment });
}

const estimator = createTokenEstimator();
const estimate = (items: readonly ResponseItem[]): number => estimator.estimate(items);

function converse(items: readonly ResponseItem[]): CompactionInput {
  return { items, estimate, plan: "[x] One\n[ ] Two" };
}

const initial = [
  message("developer", "<permissions>none"),
  message("developer", "Be kind."),
  message("user", "<environment>here"),
];
const text = fc
  .string({ maxLength: 40 })
  .chain((part) => fc.integer({ min: 1, max: 200 }).map((count) => `${part} word `.repeat(count)));

/** A response with its calls and their outputs, with ids of its own. */
function toStep(number: number, calls: number, output: string): readonly ResponseItem[] {
  const ids = Array.from({ length: calls }, (_, index) => `call_${number}_${index}`);
  return [
    { type: "reasoning", summary: [], encrypted_content: "A".repeat(900) },
    ...ids.map((call_id): ResponseItem => ({ type: "function_call", call_id, name: "run", arguments: "{}" })),
    ...(calls === 0 ? [message("assistant", output)] : []),
    ...ids.map((call_id): ResponseItem => ({ type: "function_call_output", call_id, output })),
    ...(output.length % 7 === 0 && calls > 0 ? [withAuthor(followUp, { type: "tool" })] : []),
  ];
}

const followUp: MessageItem = {
  type: "message",
  role: "user",
  content: [
    { type: "input_text", text: "The image a.png:" },
    { type: "input_image", image_url: "data:image/png;base64,AAAA" },
  ],
};

const part = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.integer({ min: 0, max: 3 }), text).map(([calls, output]) => ({ calls, output })),
  },
  { weight: 2, arbitrary: text.map((said) => message("user", `said: ${said}`)) },
  fc.constantFrom(
    message("developer", "<permissions>changed"),
    message("developer", "Late tools."),
    message("user", "<environment>there"),
    message("user", "<turn_interrupted>"),
    message("developer", "<turn_interrupted>"),
    message("user", "<instructions>changed"),
    message("user", "<skill>how"),
  ),
);
const conversation = fc
  .array(part, { minLength: 1, maxLength: 60 })
  .map((parts) => [
    ...initial,
    message("user", "said: first"),
    ...parts.flatMap((each, number) =>
      "calls" in each ? toStep(number, each.calls, each.output) : [withAuthor(each, readAuthor(each))],
    ),
  ]);

const isSaid = (item: ResponseItem): boolean => JSON.stringify(item).includes('"said: ');

test("in any thread, the planned items stay word for word and in order, calls keep their outputs, and the thread shrinks or is left alone", () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 2_000, max: 60_000 }), (items, limit) => {
      const tokens = 800 + estimate(items);
      const sizes = { tokens, target: 0.8 * limit, limit, headTokens: 800 };
      const planned = planCompaction(converse(items), sizes);
      if (planned.type === "too_little") return;
      const compacted = toCompactedItems(planned.plan, { type: "notes", text: "The notes." });
      const kept = compacted.filter((item) => items.includes(item));
      // the same objects, in order: they are sent as the bytes they were
      expect(kept).toEqual(items.filter((item) => kept.includes(item)));
      expect(compacted.length - kept.length).toBe(1);
      expect(compacted.slice(0, initial.length)).toEqual(initial);
      expect(items.slice(items.length - planned.plan.after.length)).toEqual(planned.plan.after);
      expect(kept).toContain(items.findLast(isSaid));
      for (const tag of ["<permissions>", "<environment>"])
        expect(kept).toContain(items.findLast((item) => JSON.stringify(item).includes(tag)));
      const said = items.filter(isSaid);
      const saidKept = kept.filter(isSaid);
      expect(said.slice(said.length - saidKept.length)).toEqual(saidKept);
      expect(listUnpaired(compacted)).toEqual([]);
      expect(planned.tokens).toBeLessThanOrEqual(sizes.target);
      expect(estimate(compacted)).toBeLessThan(estimate(items));
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 60) },
  );
});

test("whatever is dropped or cut for a summary to fit, it fits, it ends with the newest, and no call loses its output", () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 100, max: 20_000 }), fc.boolean(), (items, most, keepsInitial) => {
      const rest = fitMaterial(converse(items), { mostTokens: most, keepsInitial });
      if (rest === null) return;
      const kept = keepsInitial ? initial.length : 1;
      const left = message("user", "[The beginning of this conversation is left out.]");
      expect(rest.slice(0, kept)).toEqual(keepsInitial ? initial : [left]);
      const end = items.slice(items.length - rest.length + kept);
      const isWhole = rest.slice(kept).every((item, index) => item === end[index]);
      // what is cut is one step or message, and its items are in their places
      expect(isWhole || rest.slice(kept).map(toKind).join() === end.map(toKind).join()).toBe(true);
      expect(estimate(rest)).toBeLessThanOrEqual(most);
      expect(listUnpaired(rest)).toEqual([]);
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 60) },
  );
});

function toKind(item: ResponseItem): string {
  return "call_id" in item ? item.call_id : "";
}

test("of one step that is larger than the window its texts are cut, and arguments stay valid JSON", () => {
  const step: readonly ResponseItem[] = [
    { type: "function_call", call_id: "a", name: "write", arguments: JSON.stringify({ text: "x ".repeat(5_000) }) },
    { type: "function_call_output", call_id: "a", output: "y ".repeat(20_000) },
  ];
  const rest = fitMaterial(converse([...initial, message("user", "said: go"), ...step]), {
    mostTokens: 600,
    keepsInitial: true,
  });
  expect(estimate(rest ?? [])).toBeLessThanOrEqual(600);
  const [call, output] = rest?.slice(-2) ?? [];
  expect(JSON.parse((call as { readonly arguments: string }).arguments)).toEqual({
    left_out: expect.stringMatching(/^\{"text":"x x .*tokens left out/s) as string,
  });
  expect(output).toMatchObject({ output: expect.stringMatching(/^y y .*tokens left out\]\n.*y $/s) as string });
  expect(fitMaterial(converse(initial), { mostTokens: 600, keepsInitial: true })).toBeNull();
});

test("notes that are too long keep their beginning", () => {
  expect(cutNotes("short", 100)).toBe("short");
  const cut = cutNotes("word ".repeat(100), 200);
  expect(cut.length).toBeLessThanOrEqual(200);
  expect(cut).toMatch(/^word word .*their end is left out\.\]$/s);
});

test("fewest tokens: no count of a server that read everything is below it", () => {
  const items = [message("user", "word ".repeat(1_300)), { type: "reasoning", summary: [] } as const];
  expect(countLeastTokens(items, 650)).toBe(1_100);
});

function listUnpaired(items: readonly ResponseItem[]): readonly string[] {
  const open = new Set<string>();
  const orphans: string[] = [];
  for (const item of items) {
    if (item.type === "function_call") open.add(item.call_id);
    if (item.type === "function_call_output" && !open.delete(item.call_id)) orphans.push(item.call_id);
  }
  return [...orphans, ...open];
}

const words = "word ".repeat(2_000);
const long = [
  ...initial,
  message("user", "said: one"),
  message("user", "<skill>how"),
  ...toStep(1, 2, words),
  message("user", "said: two"),
  ...toStep(2, 1, words),
  message("user", "<instructions>old"),
  ...["turn_interrupted", "repeated_calls", "answer_refused", "answer_cut"].map((name) =>
    message("developer", `<${name}>`),
  ),
  message("developer", "<permissions>changed"),
  message("user", "<instructions>changed"),
  ...toStep(3, 1, "short"),
];
const sizes = { tokens: 500 + estimate(long), target: Infinity, limit: 8_000, headTokens: 500 };

test("the last steps stay in full, what people said with its skills, and of the harness what still counts", () => {
  const planned = planCompaction(converse(long), sizes);
  if (planned.type !== "planned") throw new Error("It was not planned.");
  expect(planned.plan.before).toEqual([
    ...initial,
    message("user", "said: one"),
    message("user", "<skill>how"),
    message("user", "said: two"),
    message("developer", "<permissions>changed"),
    message("user", "<instructions>changed"),
  ]);
  expect(planned.plan.after).toEqual(toStep(3, 1, "short"));
  expect(planned.plan.kept).toEqual({
    initialMessages: 3,
    userMessages: { kept: 2, all: 2 },
    steps: { kept: 1, all: 3 },
  });
});

test("the plan stands with the summary, and by itself where only the server can read that", () => {
  const planned = planCompaction(converse(long), sizes);
  if (planned.type !== "planned") throw new Error("It was not planned.");
  const before = planned.plan.before.length;
  const sealed = { type: "compaction", encrypted_content: "x" } as const;
  const noted = toCompactedItems(planned.plan, { type: "notes", text: "Done: </conversation_summary> all." });
  const sent = toCompactedItems(planned.plan, { type: "items", items: [sealed] });
  expect(JSON.stringify(noted[before])).toContain("Done: &lt;/conversation_summary> all.");
  expect(JSON.stringify(noted[before])).toContain("[x] One\\n[ ] Two");
  expect(sent[before]).toBe(sealed);
  expect(JSON.stringify(sent[before + 1])).toContain("[x] One\\n[ ] Two");
});

test("what was shortened before is shortened again: its summary goes into the new one", () => {
  const planned = planCompaction(converse(long), sizes);
  if (planned.type !== "planned") throw new Error("It was not planned.");
  const once = toCompactedItems(planned.plan, { type: "notes", text: `First notes. ${words}` });
  const longer = [...once, message("user", "said: three"), ...toStep(4, 1, words), ...toStep(5, 1, "short")];
  const again = planCompaction(converse(longer), { ...sizes, tokens: 500 + estimate(longer) });
  if (again.type !== "planned") throw new Error("It was not planned.");
  const twice = JSON.stringify(toCompactedItems(again.plan, { type: "notes", text: "Second notes." }));
  for (const kept of ["said: one", "said: two", "said: three", "<permissions>changed", "Second notes."])
    expect(twice).toContain(kept);
  expect(twice).not.toContain("First notes.");
});

test.for([
  ["where everything is kept anyway", [...initial, message("user", "said: one"), ...toStep(1, 1, "short")], Infinity],
  [
    "where most of it is what people said last",
    [...initial, message("user", `said: ${words}`), ...toStep(1, 1, "short")],
    Infinity,
  ],
  ["where the target is out of reach", long, 700],
] as const)("no compaction starts that would gain too little: %s", ([, items, target]) => {
  const tokens = 500 + estimate(items);
  expect(planCompaction(converse(items), { ...sizes, tokens, target }).type).toBe("too_little");
});

test("of a server's conversation all counts, in its order, but copies of messages of the user and the harness", () => {
  const sealed = { type: "compaction", encrypted_content: "x" } as const;
  const unknown = { type: "unknown", itemType: "of_tomorrow", json: '{"type":"of_tomorrow", "a":1.0}' } as const;
  const [known, said] = [message("user", "said: one"), message("assistant", "One.")];
  const repeated = { ...known, id: "msg_1", status: "completed" } as MessageItem;
  const [summary, guidance] = [message("assistant", "In short."), message("developer", "Be kind.")];
  expect(readServerItems([repeated, summary, sealed, guidance, unknown], [known])).toEqual([
    summary,
    sealed,
    guidance,
    unknown,
  ]);
  // what the model said may be repeated for a reason, unless there is nothing else
  expect(readServerItems([repeated, said, sealed], [known, said])).toEqual([said, sealed]);
  expect(readServerItems([repeated, said], [known, said])).toEqual([]);
  expect(readServerItems([], [known])).toEqual([]);
});

test("what a server repeats of the kept part is in the conversation once", () => {
  const sealed = { type: "compaction", encrypted_content: "x" } as const;
  const step: readonly ResponseItem[] = [
    { type: "reasoning", summary: [], encrypted_content: "r" },
    { type: "function_call", call_id: "a", name: "run", arguments: "{}" },
    { type: "function_call_output", call_id: "a", output: "ok" },
    message("assistant", "Done."),
  ];
  const repeated = step.map((item) => ({ ...item, id: "x", status: "completed" }) as ResponseItem);
  const older = message("assistant", "Older.");
  const plan = { before: initial, after: step, plan: null, kept: noneKept };
  expect(toCompactedItems(plan, { type: "items", items: [older, sealed, ...repeated] })).toEqual([
    ...initial,
    older,
    sealed,
    ...step,
  ]);
});

const noneKept = { initialMessages: 0, userMessages: { kept: 0, all: 0 }, steps: { kept: 0, all: 0 } };
