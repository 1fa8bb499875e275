import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Thread } from "@unroll/harness";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { asksForNotes, notes, openPrintingWorld, say } from "./compaction-world.ts";
import type { ThreadSettings, ThreadWorld } from "./thread-world.ts";

/** How a server says that a request does not fit: recorded or documented words, with the numbers that they name. */
export interface OverflowWords {
  readonly server: string;
  readonly body: object;
  readonly contextWindow: number | null;
  readonly requestTokens: number | null;
}

interface Case {
  readonly server: string;
  readonly body: unknown;
  readonly expected: { readonly refusal: (Omit<OverflowWords, "server" | "body"> & { readonly type: string }) | null };
}

const file = join(import.meta.dirname, "../../../conformance/server-words/cases.json");

export const overflowWords: readonly OverflowWords[] = (JSON.parse(readFileSync(file, "utf8")) as Case[]).flatMap(
  ({ server, body, expected: { refusal } }) =>
    refusal?.type === "overflow" && typeof body === "object" && body !== null ? [{ server, body, ...refusal }] : [],
);

/** The statuses that servers refuse such a request with; 200: within the stream. */
export const statuses = [200, 400, 413, 422, 500] as const;

export interface WindowedServer {
  /** In tokens, with room for an answer. */
  readonly window: number;
  /** How it answers a request that does not fit: it takes so many tokens, with room for an answer. */
  readonly refuse: (tokens: number) => Turn;
  /** The model's turns, one for each request except summaries; after the last it answers "Done.". */
  readonly turns: readonly Turn[];
  readonly answer?: (request: CapturedRequest) => Turn | null;
}

const answerRoom = 64;

/** As the scripted model estimates. */
export function countTokens({ raw }: CapturedRequest): number {
  return Math.ceil(raw.length / 4);
}

/** A world whose server refuses what does not fit into its window. */
export async function openWindowedWorld(server: WindowedServer): Promise<ThreadWorld> {
  const turns = server.turns.values();
  return openPrintingWorld({
    checks: { prefix: false, fields: false },
    respond(request) {
      const tokens = countTokens(request) + answerRoom;
      if (tokens > server.window) return server.refuse(tokens);
      const own = server.answer?.(request) ?? null;
      if (own !== null) return own;
      return asksForNotes(request) ? say(notes) : (turns.next().value ?? say("Done."));
    },
  });
}

/** The refusal in these words, with the numbers of this request. */
export function refuseWith(words: OverflowWords, status: number, window: number): (tokens: number) => Turn {
  return (tokens) => {
    const own = JSON.stringify(words.body)
      .replaceAll(String(words.contextWindow), String(window))
      .replaceAll(String(words.requestTokens), String(tokens));
    const body = JSON.parse(own) as object;
    return status === 200 ? { events: [toEvent(body)] } : { status, body };
  };
}

/** The same in a stream that began with 200. */
function toEvent(body: object): Record<string, unknown> {
  if ("type" in body && body.type === "response.failed") return { ...body };
  const isPlain = "error" in body && typeof body.error === "object" && Object.keys(body).length === 1;
  const error = isPlain ? body.error : { message: JSON.stringify(body) };
  return { type: "error", error };
}

/** As servers of this machine take it. */
const plain = ["store", "prompt_cache_key", "encrypted_reasoning", "custom_tools"].map(
  (name) => `model_providers.test.supports_${name}=false`,
);

/** A thread whose instructions and tools are small, as they have to be in a window of 4,096 tokens. */
export function openSmallThread(world: ThreadWorld, settings: ThreadSettings = {}): Promise<Thread> {
  const { config = [], ...rest } = settings;
  return world.openThread({
    instructions: "Be brief.",
    builtins: [],
    ...rest,
    config: ["model=lab-bigram", ...plain, ...config],
  });
}
