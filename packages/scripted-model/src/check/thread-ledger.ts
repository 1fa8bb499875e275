import { isJsonObject, parseJson, type JsonObject } from "../json.ts";
import type { BodyPlace, SharedBytes } from "../request/captured-request.ts";
import { type SlicedBody, sliceBody, sliceText } from "../request/slice-body.ts";
import { comparePrefix, type PrefixComparison } from "./prefix-law.ts";

/** The ledger's findings about one request. */
export interface LedgerEntry {
  readonly sliced: SlicedBody;
  readonly prefix: PrefixComparison;
  readonly callProblems: readonly string[];
  readonly place: BodyPlace;
}

/**
 * The requests of one thread, each compared with the one before it. Only what a request adds is parsed, so a thread of
 * n requests costs O(its last body) in parsing.
 */
export class ThreadLedger {
  /** By call id, the number of the response that issued it. */
  readonly #issued = new Map<string, number>();
  #calls = new CallOutputs(this.#issued);
  #last: SlicedBody | null = null;
  #shared: SharedBytes = { bytes: Buffer.alloc(0) };
  #epochEnded = false;
  readonly #stale = new Set<string>();
  #responses = 0;

  /** Takes the next request. Throws SyntaxError when it is not a JSON object. */
  record(bytes: Buffer): LedgerEntry {
    const sliced = sliceBody(bytes, this.#last);
    const prefix = comparePrefix(this.#last, sliced);
    const callProblems = this.#checkCalls(sliced);
    const place = this.#share(sliced);
    this.#last = sliced;
    const isNewEpoch = this.#epochEnded;
    this.#epochEnded = false;
    return { sliced, prefix: isNewEpoch ? withoutBreach(prefix) : prefix, callProblems, place };
  }

  /** Compares a compaction request with the thread so far, by the fields that it has; it does not become part of it. */
  recordCompaction(bytes: Buffer): LedgerEntry {
    const sliced = sliceBody(bytes, null);
    const last = this.#last;
    const common = last && { ...last, fields: new Map([...last.fields].filter(([key]) => sliced.fields.has(key))) };
    const callProblems = problemsOf(new CallOutputs(this.#issued), sliced);
    const place = { shared: { bytes }, length: bytes.length, tail: Buffer.alloc(0) };
    return { sliced, prefix: comparePrefix(common, sliced), callProblems, place };
  }

  /** The thread was compacted: its next request may start from scratch. */
  endEpoch(): void {
    this.#epochEnded = true;
  }

  /** From here on what is encrypted in this request cannot be read. Gives back what is wrong with it; null: nothing. */
  loseKeys(input: readonly unknown[]): string | null {
    const contents = listEncrypted(input);
    for (const content of contents) this.#stale.add(content);
    this.endEpoch();
    return contents.length === 0 ? "the request holds nothing encrypted, and the turn refuses that" : null;
  }

  /** The problem with a request that has content without keys; null: none. */
  findStale(request: { readonly input: readonly unknown[] }): string | null {
    if (this.#stale.size === 0) return null;
    const found = listEncrypted(request.input).filter((content) => this.#stale.has(content)).length;
    return found === 0 ? null : `${found} items hold encrypted content that was refused before`;
  }

  /** Remembers which calls one response issued. */
  issue(callIds: readonly string[]): void {
    this.#responses += 1;
    for (const callId of callIds) {
      // a call whose id was used is another one from then on; a fork has calls that another thread was given
      const isUsed = this.#issued.has(callId) || this.#calls.has(callId);
      if (!isUsed) this.#issued.set(callId, this.#responses);
    }
  }

  #checkCalls(sliced: SlicedBody): readonly string[] {
    if (sliced.resumed === 0) this.#calls = new CallOutputs(this.#issued);
    return problemsOf(this.#calls, sliced);
  }

  /** A body that extends the last one takes its place in memory; any other gets its own. */
  #share({ bytes, itemsEnd, resumed }: SlicedBody): BodyPlace {
    if (resumed === 0) this.#shared = { bytes };
    this.#shared.bytes = bytes;
    return { shared: this.#shared, length: itemsEnd, tail: Buffer.from(bytes.subarray(itemsEnd)) };
  }
}

function withoutBreach({ promptBytes, sharedBytes }: PrefixComparison): PrefixComparison {
  return { promptBytes, sharedBytes };
}

function listEncrypted(input: readonly unknown[]): readonly string[] {
  return input.flatMap((item) => {
    const content = isJsonObject(item) ? item["encrypted_content"] : null;
    return typeof content === "string" ? [content] : [];
  });
}

/** Reads the items that were not read before. */
function problemsOf(calls: CallOutputs, { bytes, items, resumed }: SlicedBody): readonly string[] {
  const problems: string[] = [];
  for (const range of items.slice(resumed)) {
    const item = parseJson(sliceText(bytes, range));
    const problem = isJsonObject(item) ? calls.add(item) : null;
    if (problem !== null) problems.push(problem);
  }
  return [...problems, ...calls.end()];
}

const outputTypes: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

/**
 * Reads the items of an input one by one and checks that each tool call has exactly one output, and that a response's
 * outputs come after all its calls, in the order of the calls.
 */
class CallOutputs {
  /** By call id, the number of the response that the server issued it in. */
  readonly #issued: ReadonlyMap<string, number>;
  /** By call id, the type that its output must have. */
  readonly #calls = new Map<string, string>();
  /** Call ids without output yet, in call order. */
  readonly #open: string[] = [];
  readonly #answered = new Set<string>();
  readonly #answeredResponses = new Set<number | undefined>();
  /** Some, but not all, of the open calls of a response have their outputs. */
  #isAnswering = false;

  constructor(issued: ReadonlyMap<string, number>) {
    this.#issued = issued;
  }

  /** Takes the next item. Gives back what is wrong with it; null: nothing. */
  add(item: JsonObject): string | null {
    const type = String(item["type"]);
    const callId = String(item["call_id"]);
    const outputType = outputTypes[type];
    if (outputType !== undefined) return this.#addCall(callId, outputType);
    if (Object.values(outputTypes).includes(type)) return this.#addOutput(callId, type);
    if (this.#isAnswering || (isOurMessage(item) && this.#open.length > 0)) {
      return `an item of type ${type} stands before the output of call ${this.#open[0]}`;
    }
    return null;
  }

  /** Whether the call was among the items. */
  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  /** Lists the outputs that are still missing at the end of the input. */
  end(): readonly string[] {
    return this.#open.map((callId) => `call ${callId} has no output`);
  }

  #addCall(callId: string, outputType: string): string | null {
    if (this.#calls.has(callId)) return `call ${callId} is there twice`;
    this.#calls.set(callId, outputType);
    this.#open.push(callId);
    const response = this.#issued.get(callId);
    if (!this.#isAnswering && (response === undefined || !this.#answeredResponses.has(response))) return null;
    return `call ${callId} comes after an output of the same response`;
  }

  #addOutput(callId: string, type: string): string | null {
    if (this.#answered.has(callId)) return `call ${callId} has a second output`;
    const expected = this.#calls.get(callId);
    if (expected === undefined) return `the output of ${callId} has no call before it`;
    const first = this.#open[0];
    this.#open.splice(this.#open.indexOf(callId), 1);
    this.#answered.add(callId);
    this.#answeredResponses.add(this.#issued.get(callId));
    this.#isAnswering = this.#open.length > 0;
    if (expected !== type) return `the output of ${callId} is a ${type}, not a ${expected}`;
    return first === callId ? null : `the output of ${callId} comes before that of ${first}: not in call order`;
  }
}

/** A message from our side of the conversation. */
function isOurMessage({ type, role }: JsonObject): boolean {
  return type === "message" && role !== "assistant";
}
