import type { IncomingHttpHeaders } from "node:http";
import { type Answer, type AnswerContext, planAnswer, planCompaction } from "../answer/plan-answer.ts";
import { type Problem, toProblems } from "../check/checks.ts";
import { checkRequestFields } from "../check/request-fields.ts";
import { type LedgerEntry, ThreadLedger } from "../check/thread-ledger.ts";
import type { JsonObject } from "../json.ts";
import type { CapturedRequest, BodyPlace } from "../request/captured-request.ts";
import { readFields, sliceBody } from "../request/slice-body.ts";
import type { Turn } from "../script/turn.ts";
import { findThreadId } from "./cache-router.ts";
import type { Responder, ServingPlan } from "./model-options.ts";

/** One of the two places that a request body is posted to. */
export interface Endpoint {
  /** All that came, in order. */
  readonly requests: CapturedRequest[];
  /** Starts the ids of its responses. */
  readonly idPrefix: string;
  readonly respond: Responder;
  record(ledger: ThreadLedger, bytes: Buffer): LedgerEntry;
  check(fields: JsonObject, entry: LedgerEntry): readonly Problem[];
  plan(turn: Turn, context: AnswerContext): Answer;
  /** Tells the thread what was answered. */
  settle(ledger: ThreadLedger, answer: Answer): void;
}

/** `/responses` */
export function createResponsesEndpoint({ respond, checks, guise }: ServingPlan): Endpoint {
  return {
    requests: [],
    idPrefix: "",
    respond,
    record: (ledger, bytes) => ledger.record(bytes),
    check: (fields, entry) => [
      ...toProblems("request_fields", checks.fields ? checkRequestFields(fields, checks.store) : []),
      ...toProblems("call_outputs", checks.calls ? entry.callProblems : []),
      ...toProblems("not_supported", guise?.findUnsupported?.(fields) ?? []),
    ],
    plan: planAnswer,
    settle: (ledger, answer) => ledger.issue(answer.callIds),
  };
}

/** `/responses/compact` */
export function createCompactEndpoint({ compact, checks }: ServingPlan): Endpoint {
  return {
    requests: [],
    idPrefix: "compact_",
    respond: compact,
    record: (ledger, bytes) => ledger.recordCompaction(bytes),
    check: (fields, entry) => [
      // every server asks for it, whichever laws are held here
      ...toProblems("request_fields", typeof fields["model"] === "string" ? [] : ["model must be a string"]),
      ...toProblems("call_outputs", checks.calls ? entry.callProblems : []),
    ],
    plan: planCompaction,
    settle: (ledger, answer) => {
      if (answer.status < 300) ledger.endEpoch();
    },
  };
}

/** A request after parsing. */
type RequestReading = ReadableRequest | UnreadableRequest;

/** A request whose body is JSON. */
export interface ReadableRequest {
  readonly type: "readable";
  readonly place: BodyPlace;
  readonly ledger: ThreadLedger;
  readonly entry: LedgerEntry;
  /** All of the body but `input`. */
  readonly fields: JsonObject;
}

interface UnreadableRequest {
  readonly type: "unreadable";
  readonly place: BodyPlace;
  readonly message: string;
}

/** Finds the request's thread, or begins it, and enters the request there. */
export function readRequest(
  endpoint: Endpoint,
  threads: Map<string, ThreadLedger>,
  { headers, bytes }: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer },
): RequestReading {
  try {
    // by `prompt_cache_key` the whole body has to be read once more
    const key = findThreadId(headers) ?? String(readFields(sliceBody(bytes, null))["prompt_cache_key"]);
    const ledger = threads.get(key) ?? new ThreadLedger();
    threads.set(key, ledger);
    const entry = endpoint.record(ledger, bytes);
    return { type: "readable", place: entry.place, ledger, entry, fields: readFields(entry.sliced) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = { shared: { bytes }, length: bytes.length, tail: Buffer.alloc(0) };
    return { type: "unreadable", place, message: `the body is not JSON: ${error.message}` };
  }
}
