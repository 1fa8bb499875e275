import type { OpenThreadOptions } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import { sandboxRemedies } from "@unroll/report";

/** Ends a turn whose commands cannot run: with no sandbox and nobody to let them run outside of it, none of them ever will. */
export interface SandboxWatch {
  see(event: ThreadEvent): void;
  readonly guard: NonNullable<OpenThreadOptions["guards"]>[number];
}

export function createSandboxWatch(): SandboxWatch {
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
            message: `${fault} The model cannot run commands here. ${sandboxRemedies} unroll doctor has the details.`,
          },
        };
      },
    },
  };
}
