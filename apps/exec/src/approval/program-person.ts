import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { readAnswerLine } from "./parse-answer-line.ts";
import type { Answer, Person, Question } from "@unroll/protocol";

/** Where questions go and answers come from, each one line of JSON. */
export interface QuestionLines {
  readonly answers: Readable;
  write(line: string): Promise<void>;
  /** Says on stderr what was wrong with an answer. */
  complain(text: string): Promise<void>;
}

/**
 * A program that answers: `{"type":"question","id":"q_0","question":{…}}` goes out, `{"id":"q_0","answer":{…}}` comes back, in any
 * order. A line that answers nothing is told and passed over; where no more lines can come, every answer is a no.
 */
export function createProgramPerson(lines: QuestionLines): Person {
  const waiting = new Map<string, (answer: Answer) => void>();
  let next = 0;
  let isOver = false;

  const take = (line: string): void => {
    if (line.trim() === "") return;
    const read = readAnswerLine(line);
    const answer = read.type === "answer" ? (waiting.get(read.id) ?? null) : null;
    if (read.type === "fault") void lines.complain(`an answer could not be read: ${read.message}`);
    else if (answer === null) void lines.complain(`an answer was passed over: no question ${read.id} is open.`);
    else answer(read.answer);
  };
  const end = (): void => {
    isOver = true;
    for (const answer of waiting.values()) answer(silence);
  };

  let isReading = false;
  const listen = (): void => {
    if (isReading) return;
    isReading = true;
    createInterface({ input: lines.answers }).on("line", take).on("close", end);
    lines.answers.once("error", end);
  };

  return {
    async answer(question: Question, signal: AbortSignal): Promise<Answer> {
      const id = `q_${next++}`;
      if (isOver) return toNo(question);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const withdraw = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error("withdrawn"));
      signal.addEventListener("abort", withdraw, { once: true });
      waiting.set(id, resolve);
      try {
        listen();
        await lines.write(`${JSON.stringify({ type: "question", id, question })}\n`);
        const answer = await promise;
        return answer === silence ? toNo(question) : answer;
      } finally {
        waiting.delete(id);
        signal.removeEventListener("abort", withdraw);
      }
    },
  };
}

const silence: Answer = { type: "denied", reason: null };

/** Nobody answers any more. */
function toNo({ type }: Question): Answer {
  if (type === "model.questions") return { type: "dismissed" };
  if (type === "server.form") return { type: "cancelled" };
  return { type: "denied", reason: "The program that answers has closed its side." };
}
