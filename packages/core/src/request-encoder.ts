import {
  type EncodedRequest,
  type JsonSchema,
  type ReasoningContext,
  type ReasoningEffort,
  type ReasoningSummary,
  type RequestData,
  type RequestHead,
  toRequestHead,
  type ToolSpec,
  type Verbosity,
} from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import type { Transcript } from "./transcript/transcript.ts";

/** The part that is the same in every request of a thread, and in the cached prefix. */
export interface HeadSettings {
  readonly threadId: string;
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
  readonly parallelToolCalls: boolean;
  /** False: stateless, so that zero-data-retention accounts work. True only where the server insists (Azure). Null: it knows no such field. */
  readonly store: boolean | null;
  /** Whether reasoning comes in a form that only the server can read, to be sent back to it. */
  readonly encryptedReasoning: boolean;
  /** Requests with the same key share a cache at the server. Null: it knows no such field. */
  readonly promptCacheKey: string | null;
  /** Absent: the provider's default. */
  readonly serviceTier?: string;
}

/** The part that may differ from turn to turn without touching the prefix: it is written behind the input. */
export interface RequestTail {
  /** Absent: the model does not reason, or is left to its default. */
  readonly reasoning?: {
    readonly effort?: ReasoningEffort;
    readonly summary?: ReasoningSummary;
    readonly context?: ReasoningContext;
  };
  readonly verbosity?: Verbosity;
  /** The answer must be JSON of this schema. */
  readonly outputSchema?: JsonSchema;
}

/** A head with the thread that sends it. */
export interface EncodedHead extends RequestHead {
  readonly threadId: string;
}

/** Items with the bytes that they are sent by. */
type EncodedInput = Pick<Transcript, "encoded" | "items">;

/** Makes request bodies of the head, which is encoded once, and of what the transcript encoded once. */
export interface RequestEncoder {
  /** How each of them begins, up to its input. */
  readonly head: RequestHead;
  encode(input: EncodedInput, tail: RequestTail, turnId: string): EncodedRequest;
  /** The body that asks the server to compact an input. The server accepts only these fields. */
  encodeCompaction(input: EncodedInput, turnId: string): EncodedRequest;
  /** The same model and fields, with these instructions and without tools: for a request beside the thread's own. */
  withInstructions(instructions: string): RequestEncoder;
}

const encoder = new TextEncoder();

/**
 * Encodes the beginning of every request of a thread, up to its input. Call it once, when the
 * thread opens.
 */
export function encodeRequestHead(head: HeadSettings): EncodedHead {
  checkShape("encodeRequestHead", head, { threadId: "text", model: "text", instructions: "text", tools: "a list" });
  return { threadId: head.threadId, ...toRequestHead(toWireHead(head)) };
}

/**
 * The body is `{head…,"input":[item,item` + `],tail…}`: all but the last chunk is a byte prefix of the thread's next
 * request. Work is O(items) pointer copies; no item is encoded twice.
 */
export function createRequestEncoder(head: EncodedHead): RequestEncoder {
  checkShape("createRequestEncoder", head, { threadId: "text", bytes: "an object", fields: "an object" });
  const { threadId, fields } = head;
  return {
    head,
    encode(input, tail, turnId) {
      return { threadId, turnId, ...toBody(head, input, toWireTail(tail)) };
    },
    withInstructions(instructions) {
      const { tools: _tools, tool_choice: _choice, parallel_tool_calls: _parallel, ...own } = fields;
      return createRequestEncoder({ threadId, ...toRequestHead({ ...own, instructions }) });
    },
    encodeCompaction(input, turnId) {
      const known = ["model", "instructions", "prompt_cache_key"].filter((name) => Object.hasOwn(fields, name));
      const own = toRequestHead(Object.fromEntries(known.map((name) => [name, fields[name]])));
      return { threadId, turnId, ...toBody(own, input, {}) };
    },
  };
}

function toBody(
  head: RequestHead,
  { encoded, items }: EncodedInput,
  tail: RequestData["tail"],
): Pick<EncodedRequest, "chunks" | "data"> {
  return { chunks: [head.bytes, encoded, encodeTail(tail)], data: { head, items, tail } };
}

/** The same request with other members behind its input. */
export function withTail({ chunks, data, ...origin }: EncodedRequest, tail: RequestData["tail"]): EncodedRequest {
  return { ...origin, chunks: [...chunks.slice(0, -1), encodeTail(tail)], data: { ...data, tail } };
}

function encodeTail(tail: RequestData["tail"]): Uint8Array {
  const rest = JSON.stringify(tail).slice(1);
  return encoder.encode(rest === "}" ? "]}" : `],${rest}`);
}

/** Never with `previous_response_id`: each request says everything. */
function toWireHead(head: HeadSettings): RequestHead["fields"] {
  return {
    model: head.model,
    instructions: head.instructions,
    tools: head.tools,
    tool_choice: "auto",
    parallel_tool_calls: head.parallelToolCalls,
    ...(head.store === null ? {} : { store: head.store }),
    stream: true,
    ...(head.encryptedReasoning ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(head.promptCacheKey === null ? {} : { prompt_cache_key: head.promptCacheKey }),
    ...(head.serviceTier === undefined ? {} : { service_tier: head.serviceTier }),
  };
}

function toWireTail({ reasoning, verbosity, outputSchema }: RequestTail): Readonly<Record<string, unknown>> {
  const format = outputSchema && { type: "json_schema", name: "answer", strict: true, schema: outputSchema };
  const hasText = verbosity !== undefined || format !== undefined;
  return {
    ...(reasoning ? { reasoning } : {}),
    ...(hasText ? { text: { ...(verbosity ? { verbosity } : {}), ...(format ? { format } : {}) } } : {}),
  };
}
