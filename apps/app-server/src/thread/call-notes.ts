import type { CallGate, GatedCall } from "@unroll/tools";

/** What is known of calls beyond their items: noted as each passes the gate. */
export interface CallNotes {
  diffOf(itemId: string): string | null;
  cwdOf(itemId: string): string | null;
  /** Calls back when the diff of a patch is known. */
  onDiff(listener: (itemId: string) => void): void;
  readonly gate: (own: CallGate) => CallGate;
  /** The turn is over: nobody asks for them any more. */
  clear(): void;
}

export function createCallNotes(): CallNotes {
  const diffs = new Map<string, string>();
  const folders = new Map<string, string>();
  let tell: (itemId: string) => void = () => {};

  function note(call: GatedCall, itemId: string): void {
    if (call.type === "command") folders.set(itemId, call.request.cwd);
    if (call.type !== "patch") return;
    diffs.set(itemId, call.diff);
    tell(itemId);
  }

  return {
    diffOf: (itemId) => diffs.get(itemId) ?? null,
    cwdOf: (itemId) => folders.get(itemId) ?? null,
    onDiff: (listener) => void (tell = listener),
    gate: (own) => ({
      judge(call, context) {
        note(call, context.itemId);
        return own.judge(call, context);
      },
    }),
    clear() {
      diffs.clear();
      folders.clear();
    },
  };
}
