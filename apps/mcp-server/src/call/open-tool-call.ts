import type { ServerContext } from "@modelcontextprotocol/server";
import { type Clock, longestTimerMs } from "@unroll/flow";
import * as z from "zod";
import { parseElicited } from "./parse-elicited.ts";
import type { ToolCall } from "./tool-call.ts";

/**
 * After this long a silence a progress message tells the client that the call still runs: many give up after 60 s. In
 * ms.
 */
const silenceMs = 15_000;

export interface ToolCallParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

type Asked = ServerContext["mcpReq"];

/** A call as the SDK hands it over; dispose it when it is answered. */
export function openToolCall(asked: Asked, parts: ToolCallParts): ToolCall & Disposable {
  const over = new AbortController();
  const signal = AbortSignal.any([asked.signal, parts.signal]);
  const tell = createProgress(asked, { clock: parts.clock, signal: AbortSignal.any([signal, over.signal]) });
  return {
    signal,
    tell,
    async ask(params, wanted) {
      const request = { method: "elicitation/create" as const, params };
      const options = { signal: wanted, timeout: longestTimerMs }; // a person may think as long as they want
      return parseElicited(await asked.send(request, z.unknown(), options));
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

/** Progress counts the messages so far, because the total is unknown. */
function createProgress(asked: Asked, { clock, signal }: ToolCallParts): ToolCall["tell"] {
  const progressToken = asked._meta?.progressToken;
  if (progressToken === undefined) return async () => {};
  let progress = 0;
  let last = "";
  const send = async (message: string): Promise<void> => {
    progress += 1;
    await asked.notify({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
  const isOver = (): boolean => signal.aborted;
  const beat = async (): Promise<void> => {
    while (!isOver()) {
      const before = progress;
      await clock.sleep(silenceMs, signal);
      if (!isOver() && progress === before) await send(last);
    }
  };
  beat().catch(() => {}); // a client that is gone needs no progress; the answer to its call fails by itself
  return async (message) => {
    if (isOver()) return;
    last = message;
    await send(message);
  };
}
