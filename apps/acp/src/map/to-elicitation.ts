import type { CreateElicitationResponse } from "@agentclientprotocol/sdk/unstable";
import { readChoices, readForm, toChoiceForm, toServerForm } from "@unroll/thread-host";
import { refusalOf, type Answer, type FormQuestion, type ModelQuestions } from "@unroll/protocol";
import * as z from "zod";

type FormedQuestion = FormQuestion | ModelQuestions;

/** The form that the editor shows. */
export function toElicitation(question: FormedQuestion): ReturnType<typeof toServerForm> {
  if (question.type === "server.form") return toServerForm(question);
  return toChoiceForm(question, (options) => ({
    oneOf: options.map(({ label, description }) => ({ const: label, title: label, description })),
  }));
}

const contentSchema = z.record(z.string(), z.unknown());

/** Anything that is not an answer counts as none. */
export function toAnswer(response: CreateElicitationResponse, question: FormedQuestion): Answer {
  const content = "content" in response ? contentSchema.safeParse(response.content).data : null;
  const accepted = response.action === "accept" ? (content ?? {}) : null;
  if (question.type === "model.questions") return readChoices(question, accepted);
  if (accepted !== null) return readForm(question, accepted);
  return response.action === "decline" ? { type: "declined" } : refusalOf(question);
}
