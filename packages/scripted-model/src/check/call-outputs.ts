import type { JsonObject } from "../json.ts";

const outputTypes: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

/**
 * Reads the items of an input one by one and holds them to the law that each tool call has exactly one output, and that
 * the outputs of a response stand behind all its calls, in call order.
 */
export class CallOutputs {
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

  /** What is still missing when the input ends. */
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
