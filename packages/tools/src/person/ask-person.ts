import { untilAborted } from "@unroll/flow";
import type { Answer, Person, Question, ThreadEvent } from "@unroll/protocol";
import { describeError } from "../tool/describe-error.ts";

/** Where a question is reported, and what cancels it. */
export interface AskContext {
  readonly signal: AbortSignal;
  readonly emit: (event: ThreadEvent) => Promise<void>;
}

/** A question, and what counts as an answer to it. */
export interface Ask<Fitting extends Answer> {
  readonly question: Question;
  /** Null for anything but an answer to the question. */
  readonly read: (answer: unknown) => Fitting | null | Promise<Fitting | null>;
}

/** Whether the person is there for such questions. */
export function takesQuestion(person: Person | null, type: Question["type"]): person is Person {
  return person !== null && (person.takes?.includes(type) ?? true);
}

/**
 * Asks, and reports the question and its answer to the thread. Null, with a warning, if the reply
 * is not an answer or asking failed: that is a denial. Rejects with the signal's reason when the
 * answer is no longer needed, even if one comes.
 */
export async function askPerson<Fitting extends Answer>(
  person: Person,
  { question, read }: Ask<Fitting>,
  { signal, emit }: AskContext,
): Promise<Fitting | null> {
  const trace = { question: question.type, item_id: question.itemId };
  await emit({ type: "question.asked", ...trace, reason: describeCause(question) });
  const { answer, fault } = await hear(person, { question, read }, signal);
  signal.throwIfAborted();
  await emit({ type: "question.answered", ...trace, answer: answer?.type ?? "invalid" });
  if (answer === null) await emit({ type: "warning", message: `${fault}: it counts as a no.` });
  return answer;
}

async function hear<Fitting extends Answer>(
  person: Person,
  { question, read }: Ask<Fitting>,
  signal: AbortSignal,
): Promise<{ readonly answer: Fitting | null; readonly fault: string }> {
  try {
    const fault = `What came back from a question (${question.type}) is no answer to it`;
    return { answer: await read(await untilAborted(person.answer(question, signal), signal)), fault };
  } catch (error) {
    return { answer: null, fault: `A question (${question.type}) could not be asked (${describeError(error)})` };
  }
}

function describeCause(question: Question): string {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
    case "host.approval":
    case "prefix.break":
      return question.reason;
    case "model.questions":
      return "The model asks.";
    case "server.form":
      return `The MCP server ${question.server} asks.`;
  }
}
