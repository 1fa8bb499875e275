import type { Answer, FormQuestion } from "@unroll/protocol";
import { expect, test } from "vitest";
import { ask, openFakeTerminal } from "./fake-terminal.ts";

const place = { threadId: "t", itemId: "item_0" };

const field = { description: "", defaultValue: null };
const required = { ...field, isRequired: true };
const form: FormQuestion = {
  ...place,
  type: "server.form",
  server: "travel",
  message: "Where to?",
  fields: [
    { ...required, name: "city", title: "City", input: { type: "text", format: null, minLength: 2, maxLength: 9 } },
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
        minItems: 1,
        maxItems: Infinity,
        options: Object.entries({ r: "Rail", b: "Bus" }).map(([value, title]) => ({ value, title })),
      },
    },
  ],
};

async function fill(question: FormQuestion, lines: readonly string[]): Promise<{ answer: Answer; text: string }> {
  using at = openFakeTerminal();
  const answer = ask(at, question);
  await at.answer(
    ["[y] fill it in [n] no: ", lines[0] ?? ""],
    ...lines.slice(1).map((line) => ["  > ", line] as const),
  );
  return { answer: await answer, text: at.text() };
}

test("a form is filled in field by field, and asks again where an answer does not fit", async () => {
  const { answer, text } = await fill(form, ["y", "X", "Rome", "two", "2", "y", "3", "1,2"]);
  expect(answer).toEqual({ type: "accepted", values: { city: "Rome", days: 2, sea: true, by: ["r", "b"] } });
  expect(text.match(/This is not a valid answer[^.]*\./g)).toEqual([
    "This is not a valid answer: enter from 2 to 9 characters.",
    "This is not a valid answer: enter a whole number, from 1 to 9.",
    "This is not a valid answer: enter numbers, separated by commas (at least 1).",
  ]);
});

test("a form names its fields first, and asks again where the answer is neither yes nor no", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, form);
  const start = "[y] fill it in [n] no: ";
  await at.answer([start, "green"], [start, ""], [start, "n"]);
  expect(await answer).toEqual({ type: "declined" });
  expect(at.text().slice(0, at.text().indexOf(start))).toContain(
    ["fields    │ City", "          │ Days", "          │ By the sea", "          │ By", ""].join("\n"),
  );
});

test("an optional field may be left empty", async () => {
  const { answer } = await fill(form, ["y", "Rome", "2", "", "1"]);
  expect(answer).toEqual({ type: "accepted", values: { city: "Rome", days: 2, by: ["r"] } });
});

test("no declines and leaving cancels", async () => {
  expect((await fill(form, ["n"])).answer).toEqual({ type: "declined" });
  using at = openFakeTerminal();
  const left = ask(at, form);
  await at.answer(["[y] fill it in [n] no: ", "y"]);
  await at.shows("  > ");
  at.type("\u0003");
  expect(await left).toEqual({ type: "cancelled" });
});

test("a default is in the line as a person would type it, unless it is more than text", async () => {
  const [city, , , by] = form.fields;
  if (city === undefined || by === undefined) throw new Error("fields");
  const fields = [
    { ...city, defaultValue: "Oslo" },
    { ...city, name: "evil", defaultValue: "a\ry\r" },
    { ...by, defaultValue: ["b", "r"] },
  ];
  const { answer } = await fill({ ...form, fields }, ["y", "", "Bonn", ""]);
  expect(answer).toEqual({ type: "accepted", values: { city: "Oslo", evil: "Bonn", by: ["b", "r"] } });
});

test("a question that was answered is not drawn again", async () => {
  using at = openFakeTerminal();
  const answer = ask(at, form);
  await at.answer(["[y] fill it in [n] no: ", "n"]);
  await answer;
  at.type("ab\u0015cd");
  await at.shows("cd");
  expect(at.text().split("[y] fill it in")).toHaveLength(2);
});
