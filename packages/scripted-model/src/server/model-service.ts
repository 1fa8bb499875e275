import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Answer, planAnswer, planError, planHttpAnswer } from "../answer/plan-answer.ts";
import { sendAnswer } from "../answer/send-answer.ts";
import { type Violation, type Problem, toProblems } from "../check/checks.ts";
import { checkExpectation } from "../check/expectation.ts";
import type { LedgerEntry, ThreadLedger } from "../check/thread-ledger.ts";
import type { GuiseRequest } from "../guise/guise.ts";
import type { JsonObject } from "../json.ts";
import { CapturedRequest } from "../request/captured-request.ts";
import type { Turn } from "../script/turn.ts";
import { CacheRouter } from "./cache-router.ts";
import { countInputTokens } from "./count-input-tokens.ts";
import {
  createCompactEndpoint,
  createResponsesEndpoint,
  type Endpoint,
  type ReadableRequest,
  readRequest,
} from "./endpoint.ts";
import type { Responder, ServingPlan } from "./model-options.ts";

/** A request body, and how it came. */
interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Id of the response that it continues, whose items are in the body; null: none. */
  readonly previousResponseId: string | null;
}

/** Answers the requests of all threads, holds them to the laws and keeps them. */
export class ModelService {
  readonly responses: Endpoint;
  readonly compactions: Endpoint;
  readonly violations: Violation[] = [];
  readonly #plan: ServingPlan;
  readonly #threads = new Map<string, ThreadLedger>();
  readonly #router: CacheRouter;
  #answered = 0;

  constructor(plan: ServingPlan) {
    this.#plan = plan;
    this.#router = new CacheRouter(plan.affinity);
    this.responses = createResponsesEndpoint(plan);
    this.compactions = createCompactEndpoint(plan);
  }

  /** Whether the server that this one behaves like speaks WebSocket, too. */
  get takesSockets(): boolean {
    return this.#plan.guise === null;
  }

  /** Answers one HTTP request. Never throws for what the client did. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body) await sendAnswer(response, this.#number(await this.#route(request, body)));
  }

  /** Answers a request for a response that came by another way than HTTP. Never throws for what the client did. */
  async respond(arrival: Arrival): Promise<Answer> {
    const { headers, bytes: body } = arrival;
    const disguised = this.#disguise({ method: "POST", url: "/v1/responses", headers, body });
    return this.#number(disguised ?? (await this.#answer(this.responses, arrival)));
  }

  /** The empty response to a request that wants none yet: no turn is asked for, and no law holds. */
  warmUp({ input: _input, ...fields }: JsonObject, previousResponseId: string | null): Answer {
    const key = `warm_${this.#answered + 1}`;
    const prefix = { promptBytes: 0, sharedBytes: 0 };
    const { now, stream } = this.#plan;
    return this.#number(planAnswer({ items: [] }, { key, now: now(), fields, prefix, previousResponseId, stream }));
  }

  #number(answer: Answer): Answer {
    this.#answered += 1;
    const own = { "x-request-id": `req_${this.#answered}`, ...this.#plan.guise?.headers };
    return { ...answer, headers: { ...own, ...answer.headers } };
  }

  async #route({ method, url = "", headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const path = url.replace(/[?#].*/, "");
    const isPost = method === "POST";
    const disguised = this.#disguise({ method: method ?? "", url, headers, body });
    if (disguised !== null) return disguised;
    const arrival = { headers, bytes: body, previousResponseId: null };
    if (isPost && path.endsWith("/responses")) return this.#answer(this.responses, arrival);
    if (isPost && path.endsWith("/responses/compact")) return this.#answer(this.compactions, arrival);
    if (isPost && path.endsWith("/responses/input_tokens")) return countInputTokens(body);
    if (method === "GET" && path.endsWith("/models")) return this.#listModels();
    return planError("unknown_route", `There is no ${method} ${path} here.`, 404);
  }

  /** The guise's own answer; null: the script answers. */
  #disguise(request: GuiseRequest): Answer | null {
    const turn = this.#plan.guise?.answer(request) ?? null;
    return turn === null ? null : planHttpAnswer(turn);
  }

  #listModels(): Answer {
    const created = Math.floor(this.#plan.now() / 1000);
    const data = this.#plan.models.map((id) => ({ id, object: "model", created, owned_by: "unroll" }));
    return planHttpAnswer({ status: 200, body: { object: "list", data } });
  }

  async #answer(endpoint: Endpoint, { headers, bytes, previousResponseId }: Arrival): Promise<Answer> {
    const now = this.#plan.now();
    const index = endpoint.requests.length;
    const reading = readRequest(endpoint, this.#threads, { headers, bytes });
    const request = new CapturedRequest({ index, headers, receivedAt: now }, reading.place);
    endpoint.requests.push(request);
    if (reading.type === "unreadable") return this.#refuse(request, toProblems("invalid_body", [reading.message]));

    const { ledger, entry, fields } = reading;
    const refused = endpoint === this.responses ? this.#refuseAsGuise(request, reading) : null;
    if (refused !== null) return refused;
    const turn = await askForTurn(endpoint.respond, request);
    const turnProblems = "rule" in turn ? [turn] : this.#checkTurn(turn, request, entry);
    const stale = [ledger.findStale(request)].filter((message) => message !== null);
    const problems = [...endpoint.check(fields, entry), ...turnProblems, ...toProblems("stale_content", stale)];
    if ("rule" in turn || problems.length > 0) return this.#refuse(request, problems);

    const fault = "stale" in turn ? ledger.loseKeys(request.input) : null;
    if (fault !== null) return this.#refuse(request, toProblems("stale_content", [fault]));
    const key = `${endpoint.idPrefix}${entry.sliced.items.length}_${index + 1}`;
    const { stream } = this.#plan;
    const route = this.#router.route(request);
    const prefix = route.hasCache ? entry.prefix : { ...entry.prefix, sharedBytes: 0 };
    const answer = endpoint.plan(turn, { key, now, fields, prefix, previousResponseId, stream });
    endpoint.settle(ledger, answer);
    return { ...answer, headers: { ...route.headers, ...answer.headers } };
  }

  /** The laws hold for what a server refuses, too: only what is refused may be changed. */
  #refuseAsGuise(request: CapturedRequest, { ledger, entry, fields }: ReadableRequest): Answer | null {
    const refused = this.#plan.guise?.refuse?.({ fields, input: request.input }) ?? null;
    if (refused === null) return null;
    const problems = [...this.responses.check(fields, entry), ...this.#checkPrefix(entry)];
    if (problems.length > 0) return this.#refuse(request, problems);
    if (refused.endsEpoch) ledger.endEpoch();
    return planHttpAnswer(refused.answer);
  }

  #checkTurn({ newEpoch, expect }: Turn, request: CapturedRequest, entry: LedgerEntry): readonly Problem[] {
    const missing = expect ? checkExpectation(expect, request.body) : [];
    return [...(newEpoch ? [] : this.#checkPrefix(entry)), ...toProblems("expectation", missing)];
  }

  #checkPrefix({ prefix: { breach } }: LedgerEntry): readonly Problem[] {
    if (!this.#plan.checks.prefix || breach === undefined) return [];
    return toProblems("prefix_law", [`the thread's last request is not a prefix of this one: ${breach}`]);
  }

  #refuse({ index }: CapturedRequest, problems: readonly Problem[]): Answer {
    this.violations.push(...problems.map((problem) => ({ ...problem, request: index + 1 })));
    const message = problems.map((problem) => `${problem.rule}: ${problem.message}`).join("; ");
    return planError(problems[0]?.rule ?? "violation", `Request ${index + 1} breaks a law. ${message}`);
  }
}

async function askForTurn(respond: Responder, request: CapturedRequest): Promise<Turn | Problem> {
  try {
    const turn = await respond(request, request.index);
    return turn ?? { rule: "script_exhausted", message: `the script has no turn for request ${request.index + 1}` };
  } catch (error) {
    return { rule: "respond_failed", message: String(error) };
  }
}

/** The whole body; null when the client went away before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  } catch (error) {
    if (request.destroyed) return null;
    throw error;
  }
  return Buffer.concat(chunks);
}
