import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { refusalOf, type Answer, type Person, type Question } from "@unroll/protocol";
import { escapeHidden } from "@unroll/text";
import { parseAnswerLine } from "./parse-answer-line.ts";

/** Where questions go and answers come from, each one line of JSON. */
export interface QuestionLines {
  readonly answers: Readable;
  write(line: string): Promise<void>;
  /** Says on stderr what was wrong with an answer. */
  complain(text: string): Promise<void>;
}

/**
 * A program that answers: `{"type":"question","id":"q_0_5f…","question":{…}}` goes out, `{"id":"q_0_5f…","answer":{…}}` comes back, in
 * any order. Nobody can guess an id, so a line that was written before its question cannot answer it. A line that answers nothing is reported and skipped; after the last line, every question is denied.
 */
export function createProgramPerson(lines: QuestionLines): Person {
  /** Null: no answer. */
  const waiting = new Map<string, (answer: Answer | null) => void>();
  let next = 0;
  let isOver = false;
  const toSilence = (question: Question): Answer => toNo(question, isOver ? closedReason : null);

  /** Output that breaks ends the run by its own event. */
  const complain = (text: string): void => void lines.complain(text).catch(() => {});

  const take = (line: string): void => {
    if (line.trim() === "") return;
    const read = parseAnswerLine(line);
    const answer = read.type === "answer" ? (waiting.get(read.id) ?? null) : null;
    if (read.type === "fault") complain(`an answer could not be read: ${read.message}`);
    else if (answer === null) complain(`ignored an answer: no question ${read.id} is open.`);
    else {
      if (read.limit !== null)
        complain(
          `the reply to ${read.id} has a limit that unroll does not know (${read.limit}), so it counts as a denial.`,
        );
      else if (read.answer === null)
        complain(`the reply to ${read.id} does not answer its question, so it counts as a denial.`);
      answer(read.answer);
    }
  };
  const end = (): void => {
    isOver = true;
    for (const answer of waiting.values()) answer(null);
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
      const id = `q_${next++}_${randomBytes(8).toString("hex")}`;
      if (isOver) return toSilence(question);
      const { promise, resolve, reject } = Promise.withResolvers<Answer | null>();
      const withdraw = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error("withdrawn"));
      signal.addEventListener("abort", withdraw, { once: true });
      waiting.set(id, resolve);
      try {
        listen();
        await lines.write(`${escapeHidden(JSON.stringify({ type: "question", id, question }))}\n`);
        const answer = await promise;
        return answer ?? toSilence(question);
      } finally {
        waiting.delete(id);
        signal.removeEventListener("abort", withdraw);
      }
    },
  };
}

const closedReason = "The program that answers has closed its side.";

function toNo(question: Question, reason: string | null): Answer {
  const refusal = refusalOf(question);
  return refusal.type === "denied" ? { ...refusal, reason } : refusal;
}
