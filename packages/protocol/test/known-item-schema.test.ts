import { knownItemSchema, type ContentPart, type KnownItem } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";

type ItemOf<Type extends KnownItem["type"]> = Extract<KnownItem, { type: Type }>;

/** One item of each known type, with nothing but what it must have. */
const leastItems: { readonly [Type in KnownItem["type"]]: ItemOf<Type> } = {
  message: { type: "message", role: "assistant", content: [] },
  reasoning: { type: "reasoning", summary: [] },
  function_call: { type: "function_call", call_id: "call_1", name: "shell", arguments: "{" },
  function_call_output: { type: "function_call_output", call_id: "call_1", output: "" },
  custom_tool_call: { type: "custom_tool_call", call_id: "call_2", name: "apply_patch", input: "*** Begin Patch" },
  custom_tool_call_output: { type: "custom_tool_call_output", call_id: "call_2", output: [] },
  web_search_call: { type: "web_search_call" },
  compaction: { type: "compaction", encrypted_content: "gAAAAA" },
};

const parts: readonly ContentPart[] = [
  { type: "input_text", text: "hi" },
  { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "high" },
  { type: "output_text", text: "hello" },
  { type: "refusal", refusal: "no" },
];

const extraFields = fc.dictionary(
  fc.string().map((name) => `x_${name}`),
  fc.jsonValue(),
);

test.for(Object.values(leastItems))("a $type keeps every field that it came with", (item) => {
  fc.assert(
    fc.property(extraFields, (extra) => {
      const sent = { ...item, ...extra, id: "item_1" };
      expect(knownItemSchema.parse(sent)).toEqual(sent);
    }),
  );
  expect(knownItemSchema.parse(item)).toEqual(item);
});

test.for(parts)("a part of type $type keeps every field that it came with", (part) => {
  fc.assert(
    fc.property(extraFields, (extra) => {
      const sent = { ...leastItems.message, content: [{ ...part, ...extra }] };
      expect(knownItemSchema.parse(sent)).toEqual(sent);
    }),
  );
});

test("an item as a server sends it today is kept whole", () => {
  const sent = [
    {
      type: "reasoning",
      id: "rs_1",
      status: "completed",
      summary: [{ type: "summary_text", text: "Thinking", part: 1 }],
      content: null,
      encrypted_content: "gAAAAA",
    },
    {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      phase: "final_answer",
      content: [{ type: "output_text", text: "Done.", annotations: [], logprobs: [] }],
    },
    {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "unroll", sources: [{ type: "url", url: "https://a.example" }] },
    },
  ];
  expect(sent.map((item) => knownItemSchema.parse(item))).toEqual(sent);
});

test.for(Object.values(leastItems))("a $type that lacks a field is not known", (item) => {
  for (const name of Object.keys(item)) {
    const rest = Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));
    expect(knownItemSchema.safeParse(rest).success).toBe(false);
  }
});

test.for([
  { type: "of_tomorrow" },
  { ...leastItems.message, role: "tool" },
  { ...leastItems.message, content: "text" },
  { ...leastItems.message, content: [{ type: "output_audio" }] },
  { ...leastItems.message, content: [...parts, { type: "output_text" }] },
  { ...leastItems.message, id: null },
  { ...leastItems.reasoning, summary: [{ type: "headline", text: "x" }] },
  { ...leastItems.function_call, arguments: {} },
  { ...leastItems.function_call_output, output: [{ type: "input_file", file_id: "f" }] },
  { ...leastItems.web_search_call, action: { query: "x" } },
])("an item or a part that this version does not know fails: %j", (item) => {
  expect(knownItemSchema.safeParse(item).success).toBe(false);
});

test("an image may come without a detail, but not with one that is unknown", () => {
  const image = { type: "input_image", image_url: "https://a.example/b.png" };
  const withPart = (part: object): object => ({ ...leastItems.message, content: [part] });
  expect(knownItemSchema.parse(withPart(image))).toEqual(withPart(image));
  expect(knownItemSchema.safeParse(withPart({ ...image, detail: "huge" })).success).toBe(false);
});

test("no JSON makes the schema throw", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void knownItemSchema.safeParse(value)));
});
