import { checkShape } from "@unroll/text";
import type { ChoiceAnswer, ModelQuestion, Person } from "@unroll/protocol";
import * as z from "zod";
import { askPerson } from "../person/ask-person.ts";
import { parseChoice } from "../person/parse-replies.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { CallableTool } from "../tool/tool.ts";

const option = z.strictObject({
  label: z.string().trim().min(1).describe("The choice, in one to five words."),
  description: z.string().describe("What it means or leads to, in one sentence."),
});

const question = z.strictObject({
  id: z.string().min(1).describe("Your name for the answer, in snake_case."),
  header: z.string().trim().min(1).describe("The subject, in one or two words."),
  question: z.string().trim().min(1).describe("One sentence."),
  options: z
    .array(option)
    .min(2)
    .max(4)
    .refine((options) => areUnique(options.map(({ label }) => label)), { error: "Each label may come once." })
    .describe("Choices that exclude each other, the one you recommend first. The user can also answer freely."),
});

const input = z.strictObject({
  questions: z
    .array(question)
    .min(1)
    .max(3)
    .refine((all) => areUnique(all.map(({ id }) => id)), { error: "Each id may come once." }),
});

/** The person who answers the tool `request_user_input`. */
export interface RequestUserInputOptions {
  readonly threadId: string;
  /** One who takes the questions of a model. */
  readonly person: Person;
}

/** Questions to the person, asked in the middle of a turn. */
export function createRequestUserInputTool(options: RequestUserInputOptions): CallableTool {
  checkShape("createRequestUserInputTool", options, { threadId: "text", "person.answer": "a function" });
  const { threadId, person } = options;
  return defineTool({
    name: "request_user_input",
    description:
      "Asks the user one to three short questions and waits for the answers. Only for what you can neither find out nor sensibly assume, and what changes what you do next.",
    input,
    concurrency: "exclusive",
    async run(input, context) {
      const asked = { type: "model.questions", threadId, itemId: context.itemId, questions: input.questions } as const;
      return toOutput(input.questions, await askPerson(person, { question: asked, read: parseChoice }, context));
    },
  });
}

function areUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** JSON, `{"answers":{"<id>":{"answers":["…"]}}}`, with every question in it. */
function toOutput(asked: readonly ModelQuestion[], reply: ChoiceAnswer | null): string {
  if (reply?.type !== "answered")
    return "The user did not answer. Go on with what you would recommend, and say what you assumed.";
  const { answers } = reply;
  return JSON.stringify({ answers: Object.fromEntries(asked.map(({ id }) => [id, { answers: answers[id] ?? [] }])) });
}
