import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "@unroll/flow";
import { elicitedSchema } from "./parse-elicited.ts";
import type { ToolCall } from "./tool-call.ts";

/** A person may think as long as they want; the longest that a timer takes, in ms. */
const answerTimeoutMs = 2 ** 31 - 1;
/** After this long a silence the client is told that the call goes on: many give up after 60 s of it. In ms. */
const silenceMs = 15_000;

export interface ToolCallParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A call as the SDK hands it over; dispose it when it is answered. */
export function openToolCall(extra: Extra, parts: ToolCallParts): ToolCall & Disposable {
  const over = new AbortController();
  const signal = AbortSignal.any([extra.signal, parts.signal]);
  const tell = createProgress(extra, { clock: parts.clock, signal: AbortSignal.any([signal, over.signal]) });
  return {
    signal,
    tell,
    async ask(params, wanted) {
      const request = { method: "elicitation/create" as const, params };
      const options = { signal: wanted, timeout: answerTimeoutMs };
      return extra.sendRequest(request, elicitedSchema, options);
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

/** Progress counts what was told: nobody knows how much there will be. */
function createProgress(extra: Extra, { clock, signal }: ToolCallParts): ToolCall["tell"] {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return async () => {};
  let progress = 0;
  let last = "";
  const send = async (message: string): Promise<void> => {
    progress += 1;
    await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } });
  };
  const isOver = (): boolean => signal.aborted;
  const beat = async (): Promise<void> => {
    while (!isOver()) {
      const before = progress;
      await clock.sleep(silenceMs, signal);
      if (!isOver() && progress === before) await send(last);
    }
  };
  void beat();
  return async (message) => {
    if (isOver()) return;
    last = message;
    await send(message);
  };
}
