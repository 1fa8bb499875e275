import type { McpElicitation } from "@unroll/mcp";
import { expect, test } from "vitest";
import { createElicitationDialog } from "../src/chat/elicitation-dialog.ts";
import type { Terminal } from "../src/chat/terminal.ts";

/** Answers with these lines in order, then is left. */
function script(...lines: readonly string[]): { readonly terminal: Terminal; readonly said: readonly string[] } {
  const said: string[] = [];
  const left = [...lines];
  const terminal: Terminal = {
    say: (text) => said.push(text),
    ask: async () => left.shift() ?? null,
    listen: () => {},
    [Symbol.dispose]: () => {},
  };
  return { terminal, said };
}

const field = { description: "", defaultValue: null };
const form: McpElicitation = {
  server: "travel",
  message: "Where to?",
  fields: [
    {
      ...field,
      name: "city",
      title: "City",
      isRequired: true,
      input: { type: "text", format: null, minLength: 2, maxLength: 9 },
    },
    {
      ...field,
      name: "days",
      title: "Days",
      isRequired: true,
      input: { type: "number", isInteger: true, minimum: 1, maximum: 9 },
    },
    { ...field, name: "sea", title: "By the sea", isRequired: false, input: { type: "boolean" } },
    {
      ...field,
      name: "by",
      title: "By",
      isRequired: true,
      input: {
        type: "choice",
        isMultiple: true,
        options: [
          { value: "r", title: "Rail" },
          { value: "b", title: "Bus" },
        ],
      },
    },
  ],
};
const { signal } = new AbortController();

test("a form is filled in field by field, and asks again where an answer does not fit", async () => {
  const { terminal, said } = script("y", "X", "Rome", "two", "2", "y", "3", "1,2");
  expect(await createElicitationDialog(terminal)(form, signal)).toEqual({
    type: "accepted",
    values: { city: "Rome", days: 2, sea: true, by: ["r", "b"] },
  });
  expect(said.filter((text) => text.includes("does not fit"))).toHaveLength(3);
});

test("an optional field may be left empty", async () => {
  const { terminal } = script("y", "Rome", "2", "", "1");
  expect(await createElicitationDialog(terminal)(form, signal)).toEqual({
    type: "accepted",
    values: { city: "Rome", days: 2, by: ["r"] },
  });
});

test("a no declines and leaving cancels", async () => {
  expect(await createElicitationDialog(script("n").terminal)(form, signal)).toEqual({ type: "declined" });
  expect(await createElicitationDialog(script().terminal)(form, signal)).toEqual({ type: "cancelled" });
  expect(await createElicitationDialog(script("y", "Rome").terminal)(form, signal)).toEqual({ type: "cancelled" });
});
