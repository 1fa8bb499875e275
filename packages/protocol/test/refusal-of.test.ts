import { refusalOf, type ModelQuestions, type PrefixQuestion, type Question } from "@unroll/protocol";
import { expect, test } from "vitest";

const place = { threadId: "t", itemId: null };
const asked: PrefixQuestion = {
  ...place,
  type: "prefix.break",
  askedBy: "the cache",
  reason: "It would begin anew.",
  opened: { model: "m", provider: "p" },
  changes: [],
  tokens: 1,
};
const questions: readonly Question[] = [
  asked,
  { ...place, type: "model.questions", questions: [] } satisfies ModelQuestions,
  { ...place, type: "server.form", server: "s", message: "", fields: [] },
];

test("a question that nobody answers has the no of its kind", () => {
  expect(questions.map((question) => refusalOf(question))).toEqual([
    { type: "denied", reason: null },
    { type: "dismissed" },
    { type: "cancelled" },
  ]);
});
