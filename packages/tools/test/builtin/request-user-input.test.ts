import { createBuiltinTools, createRequestUserInputTool, type UserPrompter, type UserReply } from "@unroll/tools";
import { expect, test } from "vitest";
import { createPorts, createRuntime, functionCall, outputText, runCalls, type RunResult } from "../fake-ports.ts";

const option = (label: string) => ({ label, description: `It takes ${label}.` });
const question = (id: string) => ({
  id,
  header: "Store",
  question: "Where does it go?",
  options: [option("disk"), option("memory")],
});

async function ask(args: unknown, reply: UserReply): Promise<RunResult & { readonly asked: readonly unknown[] }> {
  const asked: unknown[] = [];
  const prompter: UserPrompter = {
    async ask(questions) {
      asked.push(questions);
      return reply;
    },
  };
  const runtime = createRuntime([createRequestUserInputTool(prompter)]);
  return { ...(await runCalls(runtime, [functionCall("request_user_input", args)])), asked };
}

test("the answers come back as JSON, one for each question", async () => {
  const questions = [question("store"), question("backup"), question("cache")];
  const answers = { store: ["disk"], backup: ["memory", "but only at night"] };
  const result = await ask({ questions }, { type: "answered", answers });
  expect(result.asked).toEqual([questions]);
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
] as const)("%s is not asked, and the model is told what is wrong", async ([_what, args]) => {
  const result = await ask(args, { type: "dismissed" });
  expect(result.asked).toEqual([]);
  expect(outputText(result)).toMatch(/^The call was not run\. Its arguments do not fit:\n- questions/);
});

test("it is there only where somebody can be asked", () => {
  const namesOf = (userInput?: UserPrompter) =>
    createBuiltinTools({ ...createPorts(), ...(userInput && { userInput }) }).map(({ name }) => name);
  expect(namesOf()).not.toContain("request_user_input");
  expect(namesOf({ ask: async () => ({ type: "dismissed" }) })).toContain("request_user_input");
});
