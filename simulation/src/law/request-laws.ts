import { type AnswerMarks, findLost, readAnswerMarks } from "./answer-marks.ts";
import type { LawBook } from "./law-book.ts";

/** The laws that hold between the requests of a thread and what is on the disk, checked as each request comes. */
export interface RequestLaws {
  /** A request of a thread came; `asksForNotes`: for a summary, beside the conversation. */
  check(request: SentRequest): void;
  /** The thread's last request is answered by these bytes. */
  answered(request: Pick<SentRequest, "threadId" | "process">, chunks: readonly Uint8Array[]): void;
  /** All of an answer to the thread's request was sent. */
  finished(request: Pick<SentRequest, "threadId" | "process" | "body">, chunks: readonly Uint8Array[]): void;
  /** From now on this model answers the thread, as a user can see. */
  announce(threadId: string, model: string): void;
  /** The thread `id` begins as another one does. */
  fork(id: string, from: string): void;
  /**
   * From now on every request of the thread must contain the message and its answers, until the thread is compacted. If it was compacted
   * in that very turn, and a later message took all the room, the message is gone already.
   */
  keep(threadId: string, turn: { readonly said: string; readonly answers: readonly string[] }): void;
  /** A text that a later request must hold; gives back whether one did. */
  expect(text: string): () => boolean;
}

interface SentRequest {
  readonly threadId: string;
  /** The process that sends it: a killed one may have saved only a part of its answer. */
  readonly process: object;
  readonly body: Buffer;
  /** The thread's file on the disk. */
  readonly file: Buffer;
  readonly asksForNotes: boolean;
}

interface ThreadFacts {
  readonly prompt: Buffer;
  readonly epochs: number;
  readonly kept: readonly string[];
  /** The marks of the last answer, and its process; null: it has no marks to look for. */
  readonly answer: (AnswerMarks & Pick<SentRequest, "process">) | null;
}

const begun: ThreadFacts = { prompt: Buffer.alloc(0), epochs: 0, kept: [], answer: null };

export function createRequestLaws(book: LawBook, secrets: readonly string[]): RequestLaws {
  const threads = new Map<string, ThreadFacts>();
  const awaited = new Set<string>();
  /** The last prompt of each thread that was answered whole, with its model: both are in it. */
  const done = new Map<string, Pick<SentRequest, "process"> & { readonly prompt: Buffer }>();
  const announced = new Map<string, string>();

  function checkModel({ threadId, process, body }: SentRequest): void {
    const prompt = toPrompt(body);
    const before = done.get(threadId);
    if (before?.process === process && before.prompt.equals(prompt))
      book.breach("a prompt is sent again to a model that answered it");
    const model = announced.get(threadId);
    if (model !== undefined && !prompt.includes(`"model":${JSON.stringify(model)}`))
      book.breach(`a request goes to another model than ${model}, and nobody was told`);
  }

  function checkPrompt({ threadId, process, body, file, asksForNotes }: SentRequest): void {
    const before = threads.get(threadId) ?? begun;
    const epochs = countEpochs(file);
    const isNew = epochs !== before.epochs;
    const prompt = toPrompt(body);
    const isExtended = prompt.subarray(0, before.prompt.length).equals(before.prompt);
    if (!isNew && !isExtended && !asksForNotes) book.breach("prefix: a request does not begin as the one before it");
    if (asksForNotes) return;
    const kept = isNew ? [] : before.kept;
    for (const text of kept) if (!body.includes(text)) book.breach(`lost: ${text}`);
    const lost = isNew || before.answer?.process !== process ? [] : findLost(before.answer, body);
    for (const mark of lost) book.breach(`of an answer only a part is kept: ${mark} is lost`);
    const from = isNew || !isExtended ? 0 : before.prompt.length;
    checkSaved(body.subarray(from, prompt.length), file);
    threads.set(threadId, { prompt, epochs, kept, answer: null });
  }

  /** Everything that is sent was saved before; the id of a call and the text of a user stand for the whole item. */
  function checkSaved(added: Buffer, file: Buffer): void {
    const texts = added.toString("latin1").match(/"call_id":"[^"]+"|(?:say|steer|task|more)-\d+\./g) ?? [];
    for (const text of new Set(texts))
      if (!file.includes(text)) book.breach(`not written down before it was sent: ${text}`);
  }

  return {
    check(request) {
      for (const secret of secrets) if (request.body.includes(secret)) book.breach("a request holds a secret");
      for (const text of awaited) if (request.body.includes(text)) awaited.delete(text);
      checkPrompt(request);
      checkModel(request);
    },
    finished({ threadId, process, body }, chunks) {
      if (readAnswerMarks(chunks) !== null) done.set(threadId, { process, prompt: toPrompt(body) });
    },
    announce: (threadId, model) => void announced.set(threadId, model),
    answered({ threadId, process }, chunks) {
      const facts = threads.get(threadId);
      const marks = readAnswerMarks(chunks);
      if (facts !== undefined) threads.set(threadId, { ...facts, answer: marks && { ...marks, process } });
    },
    fork(id, from) {
      const facts = threads.get(from);
      if (facts !== undefined) threads.set(id, { ...facts, answer: null });
    },
    keep(threadId, { said, answers }) {
      const facts = threads.get(threadId) ?? begun;
      const isGone = facts.epochs > 0 && !facts.prompt.includes(said);
      threads.set(threadId, { ...facts, kept: [...facts.kept, ...(isGone ? [] : [said]), ...answers] });
    },
    expect(text) {
      awaited.add(text);
      return () => !awaited.delete(text);
    },
  };
}

/** A request up to what varies behind its items; for a model that does not reason, that is nothing. */
function toPrompt(body: Buffer): Buffer {
  const end = body.lastIndexOf('],"reasoning"');
  return body.subarray(0, end === -1 ? body.lastIndexOf("]}") : end);
}

/** How often the thread was compacted or rewound, or its requests restarted. */
function countEpochs(file: Buffer): number {
  return count(file, '"type":"compacted"') + count(file, '"type":"epoch.undone"');
}

function count(bytes: Buffer, text: string): number {
  let found = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) found += 1;
  return found;
}
