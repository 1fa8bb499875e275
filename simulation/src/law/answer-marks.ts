/** The words by which one answer can be recognized: each word of the model and of a call is made once. */
export interface AnswerMarks {
  /** Of calls. They are in a request only where the answer counted as whole. */
  readonly calls: readonly string[];
  /** Of calls and texts. */
  readonly all: readonly string[];
}

const callMark = /work \d+|new-\d+\.txt|(?:task|more)-\d+\./g;
const textMark = /answer-\d+\./g;

/** The marks of an answer that came to its end; null: it did not, or has no calls. */
export function readAnswerMarks(chunks: readonly Uint8Array[]): AnswerMarks | null {
  const text = Buffer.concat(chunks).toString("latin1");
  const end = text.split("\n").findLast((line) => line.startsWith('data: {"type":"response.completed"'));
  if (end === undefined || end.includes('"status":"incomplete","background"')) return null;
  const output = end.slice(end.indexOf('"output":['));
  const calls = output.match(callMark) ?? [];
  return calls.length === 0 ? null : { calls, all: [...calls, ...(output.match(textMark) ?? [])] };
}

/** If a request has a call of an answer, the parts of that answer that it lacks; otherwise empty. */
export function findLost({ calls, all }: AnswerMarks, body: Buffer): readonly string[] {
  const text = body.toString("latin1");
  const held = new Set([...(text.match(callMark) ?? []), ...(text.match(textMark) ?? [])]);
  return calls.some((mark) => held.has(mark)) ? all.filter((mark) => !held.has(mark)) : [];
}
