import type { Answer } from "@unroll/protocol";
import { describeJsonFault } from "@unroll/text";

export type AnswerLine =
  | { readonly type: "answer"; readonly id: string; readonly answer: Answer }
  | { readonly type: "fault"; readonly message: string };

/** One line of a program that answers. Whether the answer fits its question is for the gate to say: what does not is a no. */
export function readAnswerLine(line: string): AnswerLine {
  const fault = describeJsonFault(line);
  if (fault !== null) return { type: "fault", message: `it is not JSON: ${fault}.` };
  const value: unknown = JSON.parse(line);
  if (!isRecord(value) || typeof value["id"] !== "string" || !isRecord(value["answer"])) {
    return { type: "fault", message: `{"id": …, "answer": {…}} is expected.` };
  }
  return { type: "answer", id: value["id"], answer: value["answer"] as unknown as Answer };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
