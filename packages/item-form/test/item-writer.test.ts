import { createItemWriter, foldLeading, type ItemWriter, wholeForm } from "@unroll/item-form";
import type { ItemForm, ItemMaker, ResponseItem } from "@unroll/protocol";
import { expect, test } from "vitest";

const own = { provider: "own", model: "m" };
const plain: ItemForm = { ...wholeForm, anyItems: false, customTools: false, webSearch: false, server: own };

/** The items as they are sent, as values. */
function send(form: ItemForm, items: readonly ResponseItem[], maker: ItemMaker | null = null): readonly unknown[] {
  return read(
    createItemWriter(form, () => []),
    items,
    maker,
  );
}

function read(writer: ItemWriter, items: readonly ResponseItem[], maker: ItemMaker | null): readonly unknown[] {
  const sent = writer.write(items.map((item) => ({ item, maker, bytes: null })));
  const texts = sent.map(({ bytes }) => new TextDecoder().decode(bytes)).filter((text) => text !== "");
  return JSON.parse(`[${texts.join(",")}]`) as readonly unknown[];
}

const says = (text: string): ResponseItem => ({
  type: "message",
  role: "assistant",
  id: "msg_1",
  content: [{ type: "output_text", text }],
});

test("a server gets its own items as they came, except members that are null", () => {
  const items = [
    { type: "reasoning", id: "rs_1", summary: [], content: null, encrypted_content: "c2VjcmV0" },
    { ...says("Hi."), phase: "final", logprobs: null, status: "incomplete" },
    { type: "function_call", id: "fc_1", call_id: "a", name: "run", arguments: "{}", status: null },
  ] as readonly ResponseItem[];
  expect(send(plain, items)).toEqual([
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VjcmV0" },
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      phase: "final",
      status: "incomplete",
      content: [{ type: "output_text", text: "Hi.", annotations: [] }],
    },
    { type: "function_call", id: "fc_1", call_id: "a", name: "run", arguments: "{}" },
  ]);
});

test("of another server's items it gets what can be read, as messages, functions and reasoning with a text", () => {
  const items = [
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Why." }], encrypted_content: "c2VjcmV0" },
    { type: "reasoning", id: "rs_2", summary: [], encrypted_content: "c2VjcmV0" },
    { ...says("Hi."), phase: "final" },
    { type: "web_search_call", id: "ws_1", action: { type: "search", query: "cats" } },
    { type: "custom_tool_call", id: "ctc_1", call_id: "a", name: "apply_patch", input: "*** Begin" },
    { type: "custom_tool_call_output", call_id: "a", output: [{ type: "input_text", text: "Done." }] },
    { type: "compaction", id: "cmp_1", encrypted_content: "c2VjcmV0" },
    { type: "unknown", itemType: "of_tomorrow", json: '{"type":"of_tomorrow"}' },
  ] as readonly ResponseItem[];
  const text = (said: string, id: string): object => ({
    type: "message",
    id,
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: said, annotations: [] }],
  });
  expect(send(plain, items, { provider: "other", model: "o" })).toEqual([
    { type: "reasoning", id: "rs_unroll_0", summary: [], content: [{ type: "reasoning_text", text: "Why." }] },
    text("Hi.", "msg_unroll_2"),
    text("I searched the web: cats", "msg_unroll_3"),
    { type: "function_call", call_id: "a", name: "apply_patch", arguments: '{"input":"*** Begin"}' },
    { type: "function_call_output", call_id: "a", output: "Done." },
    { type: "message", role: "user", content: [{ type: "input_text", text: expect.stringContaining("compacted") }] },
  ]);
});

test.for([
  ["{}", "{}"],
  ["", "{}"],
  ['{"command":"ls', '{"cut_off_arguments":"{\\"command\\":\\"ls"}'],
  ["[1]", '{"cut_off_arguments":"[1]"}'],
])("arguments %j are sent as %j", ([given = "", sent]) => {
  const call = { type: "function_call", call_id: "a", name: "run", arguments: given } as const;
  expect(send(plain, [call])).toEqual([{ ...call, arguments: sent }]);
});

test("images of outputs move into a message after all outputs, and are lines of text for a server without image input", () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AA==" } as const;
  const output = (call_id: string): ResponseItem => ({ type: "function_call_output", call_id, output: [image] });
  const texts = (items: readonly unknown[]): readonly unknown[] =>
    items.map((item) => (item as { readonly output?: string }).output ?? (item as { content: unknown }).content);
  const items = [output("a"), output("b"), says("Nice.")];
  const behind = "[An image: it is in the message after the tool outputs.]";
  expect(texts(send(plain, items)).slice(0, 3)).toEqual([behind, behind, [image, image]]);
  const none = "[An image was here. Images are not sent to this server.]";
  expect(texts(send({ ...plain, images: false }, items)).slice(0, 2)).toEqual([none, none]);
  expect(send({ ...wholeForm, images: false }, [output("a")])).toEqual([
    { type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: none }] },
  ]);
});

test("reasoning is not sent back to a server that takes none", () => {
  const reasoning = { type: "reasoning", summary: [], encrypted_content: "c2VjcmV0" } as const;
  for (const form of [plain, wholeForm]) expect(send({ ...form, reasoningItems: false }, [reasoning])).toEqual([]);
});

test("developer messages in front are in the instructions, and only those", () => {
  const told = (text: string): ResponseItem => ({
    type: "message",
    role: "developer",
    content: [{ type: "input_text", text }],
  });
  const form = { ...plain, developerMessages: false };
  const items = [told("one"), told("two"), says("Hi."), told("three")];
  expect(foldLeading("Base.", items, form)).toBe("Base.\n\none\n\ntwo");
  expect(foldLeading("Base.", items, wholeForm)).toBe("Base.");
  const writer = createItemWriter(form, null);
  const later = { type: "message", role: "user", content: [{ type: "input_text", text: "three" }] };
  expect(read(writer, items, null)).toEqual([expect.objectContaining({ role: "assistant" }), later]);
  // what comes in front of everything, but later, is in no instructions
  const empty = createItemWriter(form, null);
  expect([read(empty, [told("one")], null), read(empty, [told("three")], null)]).toEqual([[], [later]]);
});
