import type { IncomingHttpHeaders } from "node:http";
import type { RequestBody, ThreadHeaders } from "@unroll/protocol";

/** A request to one of the endpoints below `base_url`. */
export interface Call {
  readonly path: "/responses" | "/responses/compact" | "/models" | "/chat/completions";
  /** The content type that is asked for; an answer of another is refused. */
  readonly accept: "text/event-stream" | "application/json";
  /** Absent: it belongs to none. */
  readonly origin?: RequestOrigin;
  /** Override those of the provider. Absent: none. */
  readonly queryParams?: Readonly<Record<string, string>>;
  /** Null: a GET. */
  readonly body: readonly Uint8Array[] | null;
}

/** The turn of a thread that a request belongs to. */
type RequestOrigin = Pick<RequestBody, "threadId" | "turnId">;

/**
 * Keeps the requests of a thread on the machine that has its cache: by the thread's id in headers, and within a turn by the token that
 * the server answered the turn's first request with. For one provider: a token never goes to another one.
 */
interface ThreadAffinity {
  /** The headers that say where a request belongs; none for `ThreadHeaders` `none`. */
  toHeaders(origin: RequestOrigin): Readonly<Record<string, string>>;
  /** Takes the token from the headers of an answer. The first one of a turn counts; one over 4 KiB is ignored. */
  learn(origin: RequestOrigin, headers: IncomingHttpHeaders): void;
}

/** OpenAI's name of the token (seen in codex 0.92 and 0.169). */
const tokenHeader = "x-codex-turn-state";
/** Servers and proxies refuse requests with much more than 8 KiB of headers. */
const maxTokenLength = 4096;
/** Turns whose token is kept, the latest. Without its token a turn only risks a cache miss. */
const maxTurns = 1000;

export function createThreadAffinity(style: ThreadHeaders): ThreadAffinity {
  /** By thread, the token of its latest turn; the thread that asked last comes last. */
  const turns = new Map<string, { readonly turnId: string; readonly token: string }>();

  function findToken({ threadId, turnId }: RequestOrigin): string | null {
    const turn = turns.get(threadId);
    return turn?.turnId === turnId ? turn.token : null;
  }

  return {
    toHeaders(origin) {
      if (style === "none") return {};
      const { threadId } = origin;
      const token = findToken(origin);
      return {
        "session-id": threadId,
        "thread-id": threadId,
        "x-client-request-id": threadId,
        ...(style === "both" && { session_id: threadId }),
        ...(token !== null && { [tokenHeader]: token }),
      };
    },
    learn(origin, headers) {
      const token = headers[tokenHeader];
      if (style === "none" || typeof token !== "string" || token === "" || token.length > maxTokenLength) return;
      if (findToken(origin) !== null) return;
      const { threadId, turnId } = origin;
      turns.delete(threadId);
      turns.set(threadId, { turnId, token });
      for (const oldest of turns.keys()) if (turns.size > maxTurns) turns.delete(oldest);
    },
  };
}
