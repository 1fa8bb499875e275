import type { Clock } from "@unroll/flow";
import { checkShape } from "@unroll/text";
import { type PlannedResponse, responseEvents } from "../answer/response-events.ts";
import type { Checks } from "../check/checks.ts";
import type { Guise } from "../guise/guise.ts";
import type { JsonObject } from "../json.ts";
import type { CapturedRequest } from "../request/captured-request.ts";
import { type Affinity, playTurns, type Script } from "../script/script.ts";
import type { Turn } from "../script/turn.ts";

/**
 * Answers one request; `index` counts from 0. Null: there is no answer, which is a violation. An exception is a
 * violation, too.
 */
export type Responder = (request: CapturedRequest, index: number) => Turn | null | Promise<Turn | null>;

/** The source of the answers, a script or a function, and how to serve them. */
export type ScriptedModelOptions = ServingOptions & ({ readonly script: Script } | RespondOptions);

/** Answers by functions, in place of a script. */
interface RespondOptions {
  readonly respond: Responder;
  /** Answers `/responses/compact`; an `items` turn gives the new input. Absent: one made-up compaction item. */
  readonly compact?: Responder;
}

/** `now`: the system's when absent. */
export interface ServingOptions extends Partial<Pick<Clock, "now">> {
  /** On 127.0.0.1. 0, or absent: a free one. */
  readonly port?: number;
  /** Over those of the script. */
  readonly checks?: Checks;
  /** `close()` does not throw. Violations are still answered with status 400 and listed. */
  readonly allowViolations?: boolean;
  /** Ids listed by `/models`; over those of the script. */
  readonly models?: readonly string[];
  /** How the server finds the cache of a thread; over that of the script. Absent: it always does. */
  readonly affinity?: Affinity;
  /** The server that it behaves like: its paths, what it refuses, what it does not know. Absent: OpenAI's. */
  readonly guise?: Guise;
}

/** The options with every default filled in. */
export interface ServingPlan extends Pick<Clock, "now"> {
  readonly respond: Responder;
  readonly compact: Responder;
  readonly checks: Required<Checks>;
  readonly models: readonly string[];
  readonly guise: Guise | null;
  /** Writes the events of a response: as the guise does, else as OpenAI's server. */
  readonly stream: (response: PlannedResponse) => Iterable<JsonObject | string>;
  /** Null: the server finds every cache. */
  readonly affinity: Affinity | null;
}

/** Fills in the defaults, and turns a script into the functions that play it. */
export function planServing(options: ScriptedModelOptions): ServingPlan {
  checkOptions(options);
  const { guise = null } = options;
  const script = "script" in options ? options.script : undefined;
  const responders = "script" in options ? playScript(options.script) : options;
  return {
    respond: responders.respond,
    compact: responders.compact ?? (() => madeUpCompaction),
    checks: {
      prefix: true,
      calls: true,
      fields: true,
      store: false,
      ...guise?.checks,
      ...script?.checks,
      ...options.checks,
    },
    guise,
    stream: (response) => guise?.stream?.(response) ?? responseEvents(response),
    affinity: options.affinity ?? script?.affinity ?? null,
    models: options.models ?? script?.models ?? ["unroll-scripted"],
    now: options.now ?? Date.now,
  };
}

/** Checks the options of callers without a type checker. */
function checkOptions(options: ScriptedModelOptions): void {
  const call = "startScriptedModel";
  checkShape(call, { options }, { options: "an object" });
  if (!("script" in options)) return checkShape(call, { script: {}, ...options }, { respond: "a function" });
  checkShape(call, options, { "script.turns": "a list" });
  const wrong = options.script.turns.findIndex((turn) => !kinds.some((kind) => kind in turn));
  if (wrong !== -1) throw new TypeError(`${call}: script.turns[${wrong}] has to have one of ${kinds.join(", ")}.`);
}

const kinds = ["items", "events", "raw", "stale", "status"];

const madeUpCompaction: Turn = { items: [{ type: "compaction" }] };

function playScript({ turns, atEnd, compactions = [] }: Script): RespondOptions {
  const playing = playTurns(turns, atEnd);
  const compacting = playTurns(compactions, "fail");
  return { respond: () => playing.next().value ?? null, compact: () => compacting.next().value ?? madeUpCompaction };
}
