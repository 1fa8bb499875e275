import type { IncomingHttpHeaders } from "node:http";
import type { CapturedRequest } from "../request/captured-request.ts";
import type { Affinity } from "../script/script.ts";

/** Where a request went. */
interface Route {
  /** Whether it reached the machine that has its thread's cache. */
  readonly hasCache: boolean;
  /** Headers for the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

const tokenHeader = "x-codex-turn-state";

/** The spellings of a thread's id that are accepted, the first that is there counts. */
const threadHeaders = ["thread-id", "session-id", "session_id"] as const;

/** The thread that the headers name; null: none. */
export function findThreadId(headers: IncomingHttpHeaders): string | null {
  const found = threadHeaders.map((name) => headers[name]).find((value) => value !== undefined);
  return typeof found === "string" ? found : null;
}

/**
 * Routes requests as a provider with many machines does. With `hyphen` the first answer of a turn has a token, and a
 * request after tool calls must send it back.
 */
export class CacheRouter {
  readonly #affinity: Affinity | null;
  /** Each token that was given out, with its thread. */
  readonly #tokens = new Map<string, string>();

  /** Null: one machine has all caches. */
  constructor(affinity: Affinity | null) {
    this.#affinity = affinity;
  }

  route({ headers, input }: CapturedRequest): Route {
    if (this.#affinity === null) return { hasCache: true, headers: {} };
    if (this.#affinity === "underscore") return { hasCache: headers["session_id"] !== undefined, headers: {} };
    const threadId = findThreadId(headers) ?? "";
    const isNamed = headers["session-id"] !== undefined && headers["thread-id"] !== undefined;
    const token = headers[tokenHeader];
    if (typeof token === "string") return { hasCache: isNamed && this.#tokens.get(token) === threadId, headers: {} };
    const isWithinTurn = String(input.at(-1)?.["type"]).endsWith("_output");
    return { hasCache: isNamed && !isWithinTurn, headers: { [tokenHeader]: this.#giveToken(threadId) } };
  }

  #giveToken(threadId: string): string {
    const token = `turn_${this.#tokens.size + 1}`;
    this.#tokens.set(token, threadId);
    return token;
  }
}
