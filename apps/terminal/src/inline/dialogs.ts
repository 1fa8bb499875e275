import type { DialogFlow, FlowStep } from "../dialog/dialog-flow.ts";
import { change, type InlineParts } from "./inline-parts.ts";
import type { UiEffect } from "./ui-state.ts";

/** The dialogs with you, one after the other. */
export interface Dialogs {
  ask<Result>(flow: DialogFlow<Result>, signal: AbortSignal): Promise<Result>;
  /** Takes an answer or an action; false: the effect is none. */
  take(effect: UiEffect): boolean;
}

type DialogEffect = Extract<UiEffect, { readonly type: "answered" | "acted" }>;

export function createDialogs(parts: Pick<InlineParts, "screen">): Dialogs {
  const open = new Map<number, (effect: DialogEffect) => void>();
  let nextId = 0;

  const close = (id: number): void => {
    open.delete(id);
    change(parts, (ui) => ({ ...ui, dialogs: ui.dialogs.filter((dialog) => dialog.id !== id) }));
  };

  const show = (id: number, { choice }: Pick<DialogFlow<unknown>, "choice">): void =>
    change(parts, (ui) => ({
      ...ui,
      dialogs: ui.dialogs.map((dialog) => (dialog.id === id ? { id, choice } : dialog)),
    }));

  return {
    async ask<Result>(flow: DialogFlow<Result>, signal: AbortSignal): Promise<Result> {
      signal.throwIfAborted();
      const id = nextId++;
      const answered = Promise.withResolvers<{ readonly result: Result }>();
      let current: DialogFlow<Result> | null = flow; // null: it waits for its next step, and keys do nothing
      const follow = (step: FlowStep<Result>): void => {
        switch (step.type) {
          case "done":
            close(id); // what is typed next is not for it
            return answered.resolve({ result: step.result });
          case "asked":
            current = step.flow;
            return show(id, step.flow);
          case "awaited":
            current = null;
            return void step.step.then(follow).catch(answered.reject);
        }
      };
      open.set(id, (effect) => {
        const step = effect.type === "answered" ? current?.next(effect.answer) : current?.act?.(effect.act);
        if (step !== undefined) follow(step);
      });
      const abort = (): void => answered.reject(signal.reason);
      signal.addEventListener("abort", abort);
      change(parts, (ui) => ({ ...ui, dialogs: [...ui.dialogs, { id, choice: flow.choice }] }));
      try {
        return (await answered.promise).result;
      } finally {
        signal.removeEventListener("abort", abort);
        close(id);
      }
    },
    take(effect) {
      if (effect.type !== "answered" && effect.type !== "acted") return false;
      open.get(effect.id)?.(effect);
      return true;
    },
  };
}
