import type { Clock } from "@unroll/flow";

/** Bounds the notices of a server, such as progress, which it may send as fast as it can write. */
export interface NoticeGate<Message> {
  /**
   * Whether to read a message now. Responses and requests always pass, and 100 notices a second. The last of the
   * others is delivered when the second is over, one for each method.
   */
  passes(message: Message): boolean;
}

export interface NoticeGateOptions<Message> extends Pick<Clock, "sleep"> {
  /** Ends the waits. */
  readonly signal: AbortSignal;
  readonly deliver: (message: Message) => void;
}

const mostNotices = 100;
const windowMs = 1000;

export function createNoticeGate<Message>(options: NoticeGateOptions<Message>): NoticeGate<Message> {
  const { sleep, signal, deliver } = options;
  let passed = 0;
  const held = new Map<string, Message>();

  async function openAgain(): Promise<void> {
    await sleep(windowMs, signal);
    passed = 0;
    const late = [...held.values()];
    held.clear();
    if (!signal.aborted) for (const message of late) deliver(message);
  }

  return {
    passes(message) {
      const method = readMethod(message);
      if (method === null) return true;
      if (passed === 0) openAgain().catch(() => {}); // neither the clock nor a handler of the client throws
      passed += 1;
      if (passed <= mostNotices) return true;
      if (held.size < mostNotices || held.has(method)) held.set(method, message);
      return false;
    },
  };
}

/** Null: it is not a notice. */
function readMethod(message: unknown): string | null {
  if (typeof message !== "object" || message === null || "id" in message || !("method" in message)) return null;
  return typeof message.method === "string" ? message.method : null;
}
