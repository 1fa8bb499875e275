import type { OpenThreadOptions } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";

/** Ends a turn whose commands cannot run: with no sandbox and nobody to let them run outside of it, none of them ever will. */
export interface SandboxWatch {
  see(event: ThreadEvent): void;
  readonly guard: NonNullable<OpenThreadOptions["guards"]>[number];
}

export interface WatchOptions {
  /** Whether a notice before the first request gave the reason and the remedies. */
  readonly isTold: () => boolean;
}

export function createSandboxWatch({ isTold }: WatchOptions): SandboxWatch {
  let fault: string | null = null;
  return {
    see(event) {
      if (event.type !== "item.completed" || event.item.type !== "command_execution") return;
      const { code, reason } = event.item;
      if (code === "sandbox_unavailable") fault ??= reason ?? "";
    },
    guard: {
      // oxlint-disable-next-line require-yield -- it has nothing to tell
      async *before() {
        if (fault === null) return { type: "go" };
        return {
          type: "stop",
          error: {
            code: "sandbox_unavailable",
            message: isTold()
              ? "The model cannot run commands here. The notice before the first request says why; unroll doctor has the details."
              : `${fault} The model cannot run commands here. unroll doctor has the details.`,
          },
        };
      },
    },
  };
}
