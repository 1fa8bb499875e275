import type { ResolvedConfig } from "@unroll/config";
import type { StepFacts, StepGuard, StepVerdict, ThreadState } from "@unroll/core";
import { isOverload, isUsedUp, type ModelError, type Person, type ThreadEvent } from "@unroll/protocol";
import { describeThrown, pluralize } from "@unroll/text";
import { takesQuestion } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";

/** A switch to another model within a turn. */
interface FallbackChoice {
  readonly config: ResolvedConfig;
  /** Why, for the question: a sentence. */
  readonly fallback: string;
  readonly allowsBreak: boolean;
  readonly signal: AbortSignal;
}

export interface FallbackOptions {
  readonly settings: { readonly config: ResolvedConfig; readonly person: Person | null };
  readonly state: Pick<ThreadState, "transcript">;
  /** The caller allowed cache breaks in advance. */
  readonly allowsBreak: boolean;
  /** Throws the errors of opening a thread with this model; the thread then keeps its model. */
  readonly changeModel: (choice: FallbackChoice) => Promise<void>;
}

/** A model that gave no answer in this turn. */
interface Tried {
  /** With its provider. */
  readonly id: string;
  /** For people. */
  readonly model: string;
  readonly reason: string;
  /** Its provider, if no model of it can answer; otherwise null. */
  readonly absentProvider: string | null;
}

/**
 * Continues a turn with the next model of `model_fallbacks` if the model in use does not answer. After a used-up quota
 * and without a connection, that is the next one of another provider. The person is asked if the provider has cached the
 * thread. If nobody can be asked, the list is the consent. One for all models of a thread, because it remembers which
 * ones failed in the turn.
 */
export function createFallbackGuard(options: FallbackOptions): StepGuard {
  let turn: { readonly id: string; readonly tried: Tried[] } = { id: "", tried: [] };
  return {
    async *before({ failure, turnId, lastUsage }, signal) {
      if (turn.id !== turnId) turn = { id: turnId, tried: [] };
      const { config } = options.settings;
      if (failure === null || config.modelFallbacks.length === 0) return { type: "go" };
      const absence = explainAbsence(failure);
      if (absence === null) return { type: "go" };
      const { reason, isProviders } = absence;
      const absentProvider = isProviders ? config.provider.id : null;
      turn.tried.push({ ...toTried(config, config), reason: `${reason}: ${failure.message}`, absentProvider });
      const hasOthers = config.modelFallbacks.some((each) => each.provider.id !== absentProvider);
      if (!hasOthers && turn.tried.length === 1) return { type: "go" };
      return yield* fallBack({ failure, reason, tried: turn.tried, lastUsage, signal }, options);
    },
  };
}

interface FailedRequest extends Pick<StepFacts, "lastUsage"> {
  readonly failure: ModelError;
  /** Why there is no answer: a clause. */
  readonly reason: string;
  /** Grows with each model that cannot be used. */
  readonly tried: Tried[];
  readonly signal: AbortSignal;
}

async function* fallBack(request: FailedRequest, options: FallbackOptions): AsyncGenerator<ThreadEvent, StepVerdict> {
  const { failure, reason, tried, signal, lastUsage } = request;
  const { settings, state } = options;
  const now = settings.config;
  const { modelFallbacks } = now;
  const why = `${toTried(now, now).model} ${reason}.`;
  const isCached = state.transcript.compareWithAnswered(null) !== null;
  const isAsked = isCached && !options.allowsBreak && takesQuestion(settings.person, "prefix.break");
  for (const config of modelFallbacks) {
    const other = toTried(config, now);
    if (tried.some(({ id, absentProvider }) => id === other.id || absentProvider === config.provider.id)) continue;
    const cost = isCached ? describeCost(lastUsage) : "";
    const message = `${why} Continuing with ${other.model} (model_fallbacks).${cost}`;
    if (!isAsked) yield { type: "warning", message };
    try {
      const wanted = { ...config, modelFallbacks };
      const fallback = `${why} ${failure.message}`;
      await options.changeModel({ config: wanted, fallback, allowsBreak: !isAsked, signal });
      return { type: "resend" };
    } catch (error) {
      if (error instanceof HarnessError && error.code === "other_model") return decline(request, other.model);
      tried.push({ ...other, reason: describeThrown(error), absentProvider: null });
    }
  }
  return { type: "stop", error: { code: failure.code, message: `No model answered. ${listTried(tried)}` } };
}

/** `now`: the config in use. If its fallbacks have other providers, the provider is named. */
function toTried({ model, provider }: ResolvedConfig, now: ResolvedConfig): Pick<Tried, "id" | "model"> {
  const isNamed = now.modelFallbacks.some((each) => each.provider.id !== now.provider.id);
  return { id: JSON.stringify([provider.id, model]), model: isNamed ? `${model} of ${provider.id}` : model };
}

function decline({ failure, tried }: FailedRequest, model: string): StepVerdict {
  const message = `${listTried(tried)} The thread does not continue with ${model}, because you did not confirm it. Send your message again later, or choose a model with /model.`;
  return { type: "stop", error: { code: failure.code, message } };
}

function listTried(tried: readonly Tried[]): string {
  return tried.map(({ model, reason }) => `${model} ${reason.replace(/\.?$/, ".")}`).join(" ");
}

function describeCost(usage: FailedRequest["lastUsage"]): string {
  if (usage === null) return " The whole thread is resent uncached.";
  return ` About ${pluralize(usage.input_tokens + usage.output_tokens, "token")} are resent uncached.`;
}

const goneCodes: ReadonlySet<string> = new Set(["model_not_found", "model_deprecated", "model_not_available"]);
const unreachableCodes: ReadonlySet<string> = new Set(["connection_failed", "connect_timeout", "server_not_ready"]);
const silentCodes: ReadonlySet<string> = new Set(["first_byte_timeout", "idle_timeout", "stream_cut"]);
/** Another model does not help. */
const otherStatus: ReadonlySet<number> = new Set([400, 401, 403]);

interface Absence {
  /** Why the model cannot answer: a clause. */
  readonly reason: string;
  /** No other model of the provider can answer either. */
  readonly isProviders: boolean;
}

/** Null: the failure is about the request, the credential or the settings. */
function explainAbsence({ code, status = 0, retryable, refusal }: ModelError): Absence | null {
  if (isUsedUp({ code, status })) return { reason: "has no quota left", isProviders: true };
  if (goneCodes.has(code) && status !== 401 && status !== 403)
    return { reason: "is not available", isProviders: false };
  if (refusal !== undefined || otherStatus.has(status)) return null;
  if (status === 404) return { reason: "is not available", isProviders: false };
  if (!retryable) return null;
  if (unreachableCodes.has(code)) return { reason: "cannot be reached", isProviders: true };
  if (silentCodes.has(code)) return { reason: "does not finish its answers", isProviders: false };
  const isOverloaded = isOverload({ code, status }) || status >= 500 || code === "server_error";
  return isOverloaded ? { reason: "is overloaded", isProviders: false } : null;
}
