import { type Answer, type AnswerContext, planAnswer, planCompaction } from "../answer/plan-answer.ts";
import { checkRequestFields } from "../check/request-fields.ts";
import type { LedgerEntry, ThreadLedger } from "../check/thread-ledger.ts";
import type { JsonObject } from "../json.ts";
import type { CapturedRequest } from "../request/captured-request.ts";
import type { Turn } from "../script/turn.ts";
import type { Responder, ServingPlan } from "./model-options.ts";
import { type Problem, toProblems } from "./problem.ts";

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
      ...toProblems("not_supported", guise?.findUnsupported(fields) ?? []),
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
      ...toProblems("request_fields", checkCompactionFields(fields)),
      ...toProblems("call_outputs", checks.calls ? entry.callProblems : []),
    ],
    plan: planCompaction,
    settle: (ledger, answer) => {
      if (answer.status < 300) ledger.endEpoch();
    },
  };
}

/** What every server asks for, whichever laws are held here. */
function checkCompactionFields({ model }: JsonObject): readonly string[] {
  return typeof model === "string" ? [] : ["model must be a string"];
}
