import type { StreamWarning } from "@unroll/protocol";
import type { Redactor } from "../failure/redactor.ts";

/** A part of a response that is not used. */
export interface Loss {
  readonly host: string;
  /** How many events of which type. */
  readonly unread: ReadonlyMap<string, number>;
  /** The tools of calls that the end of the answer lists, and that were not streamed. */
  readonly left: readonly string[];
}

/** Warnings about such parts: each call, and each type of event once per thread. */
export type TellLoss = (loss: Loss, threadId: string) => readonly StreamWarning[];

const mostTold = 10_000;
const mostNamed = 5;
/** A type that can be shown to a person. */
const plainType = /^[\w. -]{1,80}$/;

export function createLossTeller(redactor: Pick<Redactor, "clear">): TellLoss {
  const told = new Set<string>();

  function isNew(type: string, threadId: string): boolean {
    const key = `${threadId}\n${type}`;
    if (told.has(key)) return false;
    if (told.size >= mostTold) told.clear();
    told.add(key);
    return true;
  }

  return ({ host, unread, left }, threadId) => {
    const fresh = [...unread].filter(([type]) => isNew(type, threadId));
    const messages = [
      ...(fresh.length > 0 ? [tellUnread(host, fresh)] : []),
      ...(left.length > 0 ? [tellLeft(host, left)] : []),
    ];
    return messages.map((message) => ({ type: "stream.warning", message: redactor.clear(message) }));
  };
}

function tellUnread(host: string, counts: readonly (readonly [type: string, count: number])[]): string {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const types = counts.map(([type, count]) => `${toPlain(type)} (${count})`);
  const events = total === 1 ? "1 event" : `${total} events`;
  return `${host} sent ${events} that unroll cannot read: ${list(types)}. Skipped; this thread shows each type once.`;
}

function tellLeft(host: string, tools: readonly string[]): string {
  const calls = tools.length === 1 ? "1 more call" : `${tools.length} more calls`;
  const names = list(tools.map(toPlain));
  return `${host} listed ${calls} at the end of its answer than it had sent before: ${names}. Not run, because it may repeat another call; ask again if it is missing.`;
}

function list(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** A server's name for a thing may have any length, and hold terminal control characters. */
function toPlain(type: string): string {
  return plainType.test(type) ? type : "one without a readable name";
}
