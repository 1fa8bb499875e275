import { parseRequestHead, toRequestHead } from "@unroll/protocol";
import { expect, test } from "vitest";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test("a head keeps its bytes as they are, and is read member by member", () => {
  const bytes = encode(
    '{"model": "gpt-5","instructions":"Be \\u00e9xact.","tools":[{"type":"function","name":"run","strict":true},{"type":"web_search"}],"input":[',
  );
  const head = parseRequestHead(bytes);
  expect(head?.bytes).toBe(bytes);
  const tools = [{ type: "function", name: "run", strict: true }, { type: "web_search" }];
  expect(head).toEqual({
    bytes,
    fields: { model: "gpt-5", instructions: "Be \u00e9xact.", tools },
    model: "gpt-5",
    instructions: "Be \u00e9xact.",
    tools: [
      { name: "run", type: "function", spec: tools[0] },
      { name: "web_search", type: "web_search", spec: tools[1] },
    ],
  });
});

test("what is made of members reads back as the same head", () => {
  const head = toRequestHead({ model: "m", instructions: "", tools: [], store: false });
  expect(new TextDecoder().decode(head.bytes)).toBe(
    '{"model":"m","instructions":"","tools":[],"store":false,"input":[',
  );
  expect(parseRequestHead(head.bytes)).toEqual(head);
});

test.each([
  ["nothing", ""],
  ["text that is no JSON", "{model"],
  ["a head that was cut off", '{"model":"m","inp'],
  ["a list", '["input",['],
  ["a request whose input has items", '{"model":"m","input":[{}'],
  ["a request with members behind its input", '{"input":[],"model":["m"'],
  ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff])],
])("%s is not a head", (_, head) => {
  expect(parseRequestHead(typeof head === "string" ? encode(head) : head)).toBeNull();
});

test("threads with the same head share it, and a damaged head after it is still none", () => {
  const fields = { model: "m", instructions: "Share.", tools: [] };
  const head = toRequestHead(fields);
  expect(toRequestHead({ ...fields })).toBe(head);
  expect(parseRequestHead(head.bytes.slice())).toBe(head);
  expect(parseRequestHead(new Uint8Array([0x7b, 0xff]))).toBeNull();
  const other = toRequestHead({ ...fields, model: "n" });
  expect(other.model).toBe("n");
  expect(toRequestHead(fields)).toEqual(head);
});
