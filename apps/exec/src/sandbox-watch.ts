import type { OpenThreadOptions } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";

/** Ends a turn whose commands cannot run: with no sandbox and nobody to let them run outside of it, none of them ever will. */
export interface SandboxWatch {
  /** Gives the event as a person should read it: without reasons and remedies that the notice gave. */
  see(event: ThreadEvent): ThreadEvent;
  readonly guard: NonNullable<OpenThreadOptions["guards"]>[number];
}

export interface WatchOptions {
  /** The reason of a notice before the first request that no command can run; null: there was none. */
  readonly noticed: () => string | null;
}

export function createSandboxWatch({ noticed }: WatchOptions): SandboxWatch {
  let fault: string | null = null;
  const isNoticed = (reason: string): boolean => {
    const told = noticed();
    return told !== null && reason.includes(told);
  };
  return {
    see(event) {
      if (event.type !== "item.completed" || event.item.type !== "command_execution") return event;
      const { code, reason = "" } = event.item;
      if (code !== "sandbox_unavailable") return event;
      fault ??= reason;
      return isNoticed(reason) ? { ...event, item: { ...event.item, reason: "Commands cannot run here." } } : event;
    },
    guard: {
      // oxlint-disable-next-line require-yield -- it has nothing to tell
      async *before() {
        if (fault === null) return { type: "go" };
        return {
          type: "stop",
          error: {
            code: "sandbox_unavailable",
            message: isNoticed(fault)
              ? "The model cannot run commands here. The notice before the first request says why; unroll doctor has the details."
              : `${fault} The model cannot run commands here. unroll doctor has the details.`,
          },
        };
      },
    },
  };
}
