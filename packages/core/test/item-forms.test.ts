import { createThreadState, type ThreadState } from "@unroll/core";
import { wholeForm } from "@unroll/item-form";
import type { ContentPart, ItemForm, JournalEntry, MessageItem, ResponseItem, ToolCallItem } from "@unroll/protocol";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectOneSystemText, expectPlain, expectTurns } from "./chat-rules.ts";
import { user } from "./fake-ports.ts";

const own = { provider: "own", model: "m" };
const other = { provider: "other", model: "o" };
const strict: ItemForm = {
  ...wholeForm,
  anyItems: false,
  customTools: false,
  developerMessages: false,
  repeatedRoles: false,
  webSearch: false,
  server: own,
};

function told(text: string): MessageItem {
  return { ...user(text), role: "developer" };
}

const image: ContentPart = { type: "input_image", image_url: "data:image/png;base64,AA==" };

const text = fc.string({ unit: anyCharacter });
const said = fc.record({
  id: fc.constant("msg_1"),
  type: fc.constant("message" as const),
  role: fc.constant("assistant" as const),
  phase: fc.constantFrom("commentary", null),
  content: fc.tuple(fc.record({ type: fc.constant("output_text" as const), text, logprobs: fc.constant(null) })),
});
const reasoning = fc.record({
  type: fc.constant("reasoning" as const),
  summary: fc.array(fc.record({ type: fc.constant("summary_text" as const), text }), { maxLength: 2 }),
  content: fc.option(fc.array(fc.record({ type: fc.constant("reasoning_text" as const), text }), { maxLength: 2 })),
  encrypted_content: fc.constantFrom("c2VjcmV0", "", null),
});
const search = fc.constant({ type: "web_search_call", action: { type: "search", query: "q" }, status: null } as never);
const answer = fc.record({
  before: fc.array(fc.oneof<fc.Arbitrary<ResponseItem>[]>(reasoning, search), { maxLength: 2 }),
  said: fc.option(said),
  calls: fc.array(fc.constantFrom("{}", "", '{"cut":"', "[1]", "freeform"), { maxLength: 3 }),
  hasImages: fc.boolean(),
});
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("user" as const), text }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("told" as const), text }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("answered" as const), answer }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("failed" as const, "resumed" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("compacted" as const, "undone" as const) }) },
);
/** A feature that the server refuses in the middle of a thread; the thread continues without it. */
const refused = fc.record({
  type: fc.constant("refused" as const),
  feature: fc.constantFrom("anyItems", "developerMessages", "images", "reasoningItems", "repeatedRoles"),
});
type Step = typeof refused extends fc.Arbitrary<infer Value> ? Value | OwnStep : never;
type OwnStep = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A thread that is driven step by step, each request held to the rules of a strict server. */
function createDriven(first: ItemForm) {
  let form = first;
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: () => Promise.resolve() };
  let state: ThreadState = createThreadState({ form, journal });
  let sent = "";
  let calls = 0;
  state.transcript.append(told("rules"), user("the folder"));

  const read = (): string => new TextDecoder().decode(state.transcript.encoded);

  function request(): void {
    state.transcript.seal();
    const now = read();
    expect(now.startsWith(sent)).toBe(true);
    sent = now;
    const items = JSON.parse(`[${now}]`) as readonly Record<string, unknown>[];
    if (!form.repeatedRoles && !form.anyItems) expectTurns(items);
    if (!form.repeatedRoles || !form.developerMessages) expectOneSystemText(items);
    if (!form.anyItems) expectPlain(items, ({ encrypted_content }) => encrypted_content === "c2VjcmV0");
    if (!form.images) expect(now).not.toContain("input_image");
    if (!form.reasoningItems) expect(items.filter(({ type }) => type === "reasoning")).toEqual([]);
  }

  function toCall(kind: string): ToolCallItem {
    const call_id = `call_${calls++}`;
    if (kind === "freeform") return { type: "custom_tool_call", call_id, name: "patch", input: "x" };
    return { type: "function_call", call_id, name: "echo", arguments: kind, status: null } as ToolCallItem;
  }

  function take({ before, said: message, calls: kinds, hasImages }: Answer): void {
    const made = kinds.map(toCall);
    // a server refuses reasoning without what it led to, and sends none
    const items = message === null && made.length === 0 ? [] : [...before, ...(message ? [message] : []), ...made];
    state.transcript.append(...items);
    const output = hasImages ? [{ type: "input_text", text: "Seen:" } as const, image] : "done";
    const outputs = made.map(
      ({ type, call_id }): ResponseItem => ({ type: `${type}_output`, call_id, output }) as ResponseItem,
    );
    if (outputs.length > 0) state.transcript.append(...outputs, ...(hasImages ? [user("The image:")] : []));
  }

  return {
    entries,
    form: () => form,
    items: () => state.transcript.items,
    read,
    play(each: Step): void {
      switch (each.type) {
        case "user":
          return state.transcript.append(user(each.text));
        case "told":
          return state.transcript.append(told(each.text));
        case "answered":
          state.transcript.append(user("Go on."));
          request();
          return take(each.answer);
        case "failed":
          return request();
        case "resumed":
          state = createThreadState({ form, journal, entries: [...entries] });
          return;
        case "compacted": {
          const { items } = state.transcript;
          const messages = items.slice(2).filter((item) => item.type === "message" && item.role === "user");
          state.openEpoch([...items.slice(0, 2), ...messages.slice(-1), user("summary")], "it was full");
          sent = "";
          return;
        }
        case "undone":
          state.undoEpoch();
          sent = "";
          return;
        case "refused":
          form = { ...form, [each.feature]: false };
          state.openEpoch([...state.transcript.items], "it was refused", { isFinal: true, form });
          sent = "";
      }
    },
    request,
  };
}

test("whatever a thread holds, a strict server takes each of its requests, and each is a byte prefix of the next", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const thread = createDriven(strict);
      for (const each of steps) thread.play(each);
      thread.request();
    }),
    { numRuns: 300 },
  );
});

test("whatever is refused in the middle of a thread, each request of its new form is a prefix of the next, also over a resume", () => {
  const steps = fc.array(fc.oneof({ weight: 5, arbitrary: step }, { weight: 1, arbitrary: refused }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const thread = createDriven({ ...wholeForm, server: own });
      for (const each of all) thread.play(each);
      thread.request();
      const restored = createThreadState({ form: thread.form(), entries: thread.entries }).transcript;
      expect(new TextDecoder().decode(restored.encoded)).toBe(thread.read());
      expect(restored.items).toEqual(thread.items());
    }),
    { numRuns: 300 },
  );
});

test("a thread in another form resumes from its journal with the bytes that were sent, and keeps the items as they were", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const thread = createDriven(strict);
      for (const each of steps) thread.play(each);
      const restored = createThreadState({ form: strict, entries: thread.entries }).transcript;
      expect(new TextDecoder().decode(restored.encoded)).toBe(thread.read());
      expect(restored.items).toEqual(thread.items());
    }),
    { numRuns: 100 },
  );
});

test("a thread that returns to the server that made its items sends it what only that can read", () => {
  const sealed = { type: "reasoning", summary: [], encrypted_content: "c2VjcmV0", id: "rs_1" } as const;
  const items = [user("a"), sealed, { ...user("b"), role: "assistant", id: "msg_9" } as MessageItem];
  const state = createThreadState({ form: { ...wholeForm, server: other } });
  state.transcript.append(...items);
  const first = new TextDecoder().decode(state.transcript.encoded);
  state.openEpoch([...state.transcript.items], "another provider", { form: strict, maker: other });
  const elsewhere = new TextDecoder().decode(state.transcript.encoded);
  expect(elsewhere).not.toMatch(/c2VjcmV0|rs_1|msg_9/);
  expect(state.transcript.items).toEqual(items);
  const back = { ...wholeForm, server: other };
  state.openEpoch([...state.transcript.items], "back again", { form: back, maker: own });
  expect(new TextDecoder().decode(state.transcript.encoded)).toBe(first);
});
