import type { WireTurn } from "@unroll/app-server-protocol";
import type { OpenedLive } from "../thread/threads.ts";
import { toOpened } from "./describe-thread.ts";
import type { MethodContext } from "./method.ts";

/** The answer to a client that started a thread; the events follow it. `turns`: those that the client wants to see. */
export function tellBegun(
  opened: OpenedLive,
  turns: readonly WireTurn[],
  context: MethodContext,
): ReturnType<typeof tellOpened> {
  const { result, after } = tellOpened(opened, turns, context);
  const thread = { ...result.thread, turns: [] };
  return {
    result,
    after() {
      context.client.notify({ method: "thread/started", params: { thread } });
      after();
    },
  };
}

/** The same for a thread that is resumed. */
export function tellOpened(
  { thread: live, notices, release }: OpenedLive,
  turns: readonly WireTurn[],
  context: MethodContext,
): { readonly result: ReturnType<typeof toOpened>; readonly after: () => void } {
  const result = toOpened(live, turns, context);
  return {
    result,
    after() {
      for (const message of notices)
        context.client.notify({ method: "warning", params: { threadId: live.id, message } });
      release();
    },
  };
}
