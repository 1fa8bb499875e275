import type { CallGate } from "@unroll/tools";

/** What is known of calls beyond their items: noted as each passes the gate. */
export interface CallNotes {
  /** Where a command runs; null: it did not come to the gate yet, or is none. */
  cwdOf(itemId: string): string | null;
  readonly gate: (own: CallGate) => CallGate;
  /** The call is over: nobody asks for it any more. */
  forget(itemId: string): void;
}

export function createCallNotes(): CallNotes {
  const folders = new Map<string, string>();
  return {
    cwdOf: (itemId) => folders.get(itemId) ?? null,
    gate: (own) => ({
      judge(call, context) {
        if (call.type === "command") folders.set(context.itemId, call.request.cwd);
        return own.judge(call, context);
      },
    }),
    forget: (itemId) => void folders.delete(itemId),
  };
}
