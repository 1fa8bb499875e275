import type {
  EncodedRequest,
  JsonSchema,
  ReasoningContext,
  ReasoningEffort,
  ReasoningSummary,
  ToolSpec,
  Verbosity,
} from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import type { Transcript } from "./transcript/transcript.ts";

/** What stays the same in every request of a thread; part of the cached prefix. */
export interface RequestHead {
  readonly threadId: string;
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
  readonly parallelToolCalls: boolean;
  /** False: stateless, so that zero-data-retention accounts work. True only where the server insists (Azure). Null: it knows no such field. */
  readonly store: boolean | null;
  /** Whether reasoning comes in a form that only the server can read, to be sent back to it. */
  readonly encryptedReasoning: boolean;
  /** Whether the server is told which requests share a cache. */
  readonly promptCacheKey: boolean;
  /** Absent: the provider's default. */
  readonly serviceTier?: string;
}

/** What may differ from turn to turn without touching the prefix: it is written behind the input. */
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

/** A head as its requests begin with it: what a thread that goes on elsewhere is given. */
export interface EncodedHead {
  readonly threadId: string;
  readonly bytes: Uint8Array;
}

/** Makes request bodies of the head, which is encoded once, and of what the transcript encoded once. */
export interface RequestEncoder {
  /** How each of them begins, up to its input. */
  readonly head: Uint8Array;
  encode(transcript: Pick<Transcript, "encoded">, tail: RequestTail, turnId: string): EncodedRequest;
  /** The body that asks the server to shorten an input, which is given as encoded items: it knows no more than these fields. */
  encodeCompaction(input: Uint8Array, turnId: string): EncodedRequest;
  /** The same model and fields, with these instructions and without tools: for a request beside the thread's own. */
  withInstructions(instructions: string): RequestEncoder;
}

const encoder = new TextEncoder();

/** What every request of a thread begins with, up to its input, as bytes. Written once, when the thread opens. */
export function encodeRequestHead(head: RequestHead): EncodedHead {
  checkShape("encodeRequestHead", head, { threadId: "text", model: "text", instructions: "text", tools: "a list" });
  return { threadId: head.threadId, bytes: encodeHead(toWireHead(head)) };
}

function encodeHead(fields: object): Uint8Array {
  return encoder.encode(`${JSON.stringify(fields).slice(0, -1)},"input":[`);
}

function parseHead(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const sent: unknown = JSON.parse(`${new TextDecoder().decode(bytes)}]}`);
  return typeof sent === "object" && sent !== null ? { ...sent } : {};
}

/**
 * The body is `{head…,"input":[item,item` + `],tail…}`: all but the last chunk is a byte prefix of the thread's next
 * request. Work is O(items) pointer copies; no item is encoded twice.
 */
export function createRequestEncoder(head: EncodedHead): RequestEncoder {
  checkShape("createRequestEncoder", head, { threadId: "text", bytes: "an object" });
  const { threadId, bytes } = head;
  return {
    head: bytes,
    encode(transcript, tail, turnId) {
      const rest = JSON.stringify(toWireTail(tail)).slice(1);
      const closing = encoder.encode(rest === "}" ? "]}" : `],${rest}`);
      return { threadId, turnId, chunks: [bytes, transcript.encoded, closing] };
    },
    withInstructions(instructions) {
      const ofTools: ReadonlySet<string> = new Set(["tools", "tool_choice", "parallel_tool_calls", "input"]);
      const own = Object.entries(parseHead(bytes)).filter(([name]) => !ofTools.has(name));
      return createRequestEncoder({ threadId, bytes: encodeHead({ ...Object.fromEntries(own), instructions }) });
    },
    encodeCompaction(input, turnId) {
      const sent = parseHead(bytes);
      const opening = JSON.stringify(sent, ["model", "instructions", "prompt_cache_key"]).slice(0, -1);
      return { threadId, turnId, chunks: [encoder.encode(`${opening},"input":[`), input, encoder.encode("]}")] };
    },
  };
}

/** Never with `previous_response_id`: each request says everything. */
function toWireHead(head: RequestHead): object {
  return {
    model: head.model,
    instructions: head.instructions,
    tools: head.tools,
    tool_choice: "auto",
    parallel_tool_calls: head.parallelToolCalls,
    ...(head.store === null ? {} : { store: head.store }),
    stream: true,
    ...(head.encryptedReasoning ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(head.promptCacheKey ? { prompt_cache_key: head.threadId } : {}),
    ...(head.serviceTier === undefined ? {} : { service_tier: head.serviceTier }),
  };
}

function toWireTail({ reasoning, verbosity, outputSchema }: RequestTail): object {
  const format = outputSchema && { type: "json_schema", name: "answer", strict: true, schema: outputSchema };
  const hasText = verbosity !== undefined || format !== undefined;
  return {
    ...(reasoning ? { reasoning } : {}),
    ...(hasText ? { text: { ...(verbosity ? { verbosity } : {}), ...(format ? { format } : {}) } } : {}),
  };
}
