import type { DialogFlow } from "../dialog/dialog-flow.ts";
import { change, type InlineParts } from "./inline-parts.ts";
import type { UiEffect } from "./ui-state.ts";

/** The dialogs with you, one after the other. */
export interface Dialogs {
  ask<Result>(flow: DialogFlow<Result>, signal: AbortSignal): Promise<Result>;
  /** Takes an answer; false: the effect is none. */
  take(effect: UiEffect): boolean;
}

type TakeAnswer = (answer: Extract<UiEffect, { readonly type: "answered" }>["answer"]) => void;

export function createDialogs(parts: Pick<InlineParts, "screen">): Dialogs {
  const open = new Map<number, TakeAnswer>();
  let nextId = 0;

  const close = (id: number): void => {
    open.delete(id);
    change(parts, (ui) => ({ ...ui, dialogs: ui.dialogs.filter((dialog) => dialog.id !== id) }));
  };

  return {
    async ask(flow, signal) {
      signal.throwIfAborted();
      const id = nextId++;
      const answered = Promise.withResolvers<Awaited<ReturnType<typeof flow.next>> & { readonly type: "done" }>();
      let current = flow;
      open.set(id, (answer) => {
        const step = current.next(answer);
        if (step.type === "done") {
          close(id); // what is typed next is not for it
          return answered.resolve(step);
        }
        current = step.flow;
        const { choice } = current;
        change(parts, (ui) => ({
          ...ui,
          dialogs: ui.dialogs.map((dialog) => (dialog.id === id ? { id, choice } : dialog)),
        }));
      });
      const abort = (): void => answered.reject(signal.reason);
      signal.addEventListener("abort", abort);
      change(parts, (ui) => ({ ...ui, dialogs: [...ui.dialogs, { id, choice: current.choice }] }));
      try {
        return (await answered.promise).result;
      } finally {
        signal.removeEventListener("abort", abort);
        close(id);
      }
    },
    take(effect) {
      if (effect.type !== "answered") return false;
      open.get(effect.id)?.(effect.answer);
      return true;
    },
  };
}
