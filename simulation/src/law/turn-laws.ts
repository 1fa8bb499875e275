import type { ThreadEvent } from "@unroll/protocol";
import type { LawBook } from "./law-book.ts";

/** What a turn was seen to do, and whether that is what a turn may do. */
export interface TurnLaws {
  take(event: ThreadEvent): void;
  /** Whether it was told that the thread could not be written down. */
  readonly isUnsaved: boolean;
  /** The turn was read to its end; `maxSteps`: of its budget, null: none. */
  end(maxSteps: number | null): void;
}

/** Errors that only a bug leads to. */
const bugs = /internal|guard_failed|bug/;

export function watchTurn(book: LawBook, secrets: readonly string[]): TurnLaws {
  let terminals = 0;
  let steps = 0;
  let isUnsaved = false;
  const open = new Set<string>();
  return {
    get isUnsaved() {
      return isUnsaved;
    },
    take(event) {
      const text = JSON.stringify(event);
      for (const secret of secrets) if (text.includes(secret)) book.breach(`an event holds a secret: ${event.type}`);
      if (terminals > 0) book.breach(`an event behind the terminal one: ${event.type}`);
      // a command may go on when its turn is over
      if (event.type === "item.started" && event.item.type !== "command_execution") open.add(event.item.id);
      if (event.type === "item.completed") open.delete(event.item.id);
      if (event.type === "warning") isUnsaved ||= event.message.startsWith("The thread cannot be written down");
      if (event.type === "request.completed") steps += 1;
      if (event.type === "turn.completed" || event.type === "turn.failed") terminals += 1;
      if (event.type === "turn.failed" && bugs.test(event.error.code)) book.breach(`a bug: ${event.error.message}`);
    },
    end(maxSteps) {
      if (terminals !== 1) book.breach(`a turn with ${terminals} terminal events`);
      if (open.size > 0) book.breach(`items that were never completed: ${[...open].join(", ")}`);
      if (maxSteps !== null && steps > maxSteps) book.breach(`${steps} steps with a budget of ${maxSteps}`);
    },
  };
}
