import type { Person } from "@unroll/protocol";
import { createBuiltinTools, createRequestUserInputTool } from "@unroll/tools";
import { expect, test } from "vitest";
import {
  createPorts,
  createRuntime,
  functionCall,
  outputText,
  runCalls,
  type RunResult,
  toolCall,
  withoutToolCalls,
  withFacts,
} from "../fake-ports.ts";

const option = (label: string) => ({ label, description: `It takes ${label}.` });
const question = (id: string) => ({
  id,
  header: "Store",
  question: "Where does it go?",
  options: [option("disk"), option("memory")],
});

/** `reply` may be what no person should say. */
async function ask(args: unknown, reply: unknown): Promise<RunResult & { readonly asked: readonly unknown[] }> {
  const asked: unknown[] = [];
  const person: Person = {
    async answer(question) {
      asked.push(question);
      return reply as never;
    },
  };
  const runtime = createRuntime([createRequestUserInputTool({ threadId: "thread_1", person })]);
  return { ...(await runCalls(runtime, [functionCall("request_user_input", args)])), asked };
}

test("the answers come back as JSON, one for each question", async () => {
  const questions = [question("store"), question("backup"), question("cache")];
  const answers = { store: ["disk"], backup: ["memory", "but only at night"] };
  const result = await ask({ questions }, { type: "answered", answers });
  expect(result.asked).toEqual([{ type: "model.questions", threadId: "thread_1", itemId: "item_0", questions }]);
  const call = toolCall("request_user_input", { questions });
  const trace = { question: "model.questions", item_id: "item_0" };
  expect(result.events).toEqual(
    withFacts([
      call.started,
      { type: "question.asked", ...trace, reason: "The model asks." },
      { type: "question.answered", ...trace, answer: "answered" },
      call.ended({ output: outputText(result), status: "completed" }),
    ]),
  );
  expect(JSON.parse(outputText(result))).toEqual({
    answers: {
      store: { answers: ["disk"] },
      backup: { answers: ["memory", "but only at night"] },
      cache: { answers: [] },
    },
  });
});

test("a person who does not answer leaves it to the model", async () => {
  const result = await ask({ questions: [question("store")] }, { type: "dismissed" });
  expect(outputText(result)).toMatch(/^The user did not answer\. Go on with what you would recommend/);
});

test.for([
  ["no question", { questions: [] }],
  ["four questions", { questions: ["a", "b", "c", "d"].map(question) }],
  ["one option", { questions: [{ ...question("a"), options: [option("disk")] }] }],
  ["five options", { questions: [{ ...question("a"), options: ["1", "2", "3", "4", "5"].map(option) }] }],
  ["an id twice", { questions: [question("a"), question("a")] }],
  ["a label twice", { questions: [{ ...question("a"), options: [option("disk"), option("disk")] }] }],
] as const)("%s is not asked, and the model gets the reason", async ([_what, args]) => {
  const result = await ask(args, { type: "dismissed" });
  expect(result.asked).toEqual([]);
  expect(outputText(result)).toMatch(/^The call was not run\. Its arguments do not fit:\n- questions/);
});

test.for([
  ["nothing", undefined],
  ["an answer to another question", { type: "approved.once" }],
  ["answers that are no lists of texts", { type: "answered", answers: { store: "disk" } }],
] as const)("%s in place of an answer counts as none, with a warning", async ([, reply]) => {
  const result = await ask({ questions: [question("store")] }, reply);
  expect(outputText(result)).toMatch(/^The user did not answer/);
  expect(withoutToolCalls(result.events)).toMatchObject([
    { type: "question.asked" },
    { type: "question.answered", answer: "invalid" },
    { type: "warning" },
  ]);
});

test("it is there only where somebody takes such questions", () => {
  const namesOf = (person: Person | null) => createBuiltinTools({ ...createPorts(), person }).map(({ name }) => name);
  const answer: Person["answer"] = async () => ({ type: "dismissed" });
  expect(namesOf(null)).not.toContain("request_user_input");
  expect(namesOf({ takes: ["command.approval"], answer })).not.toContain("request_user_input");
  expect(namesOf({ answer })).toContain("request_user_input");
});
