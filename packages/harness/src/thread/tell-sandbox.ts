import { isDeepStrictEqual } from "node:util";
import type { SandboxReport } from "@unroll/protocol";
import type { ThreadBase } from "../base/thread-base.ts";
import type { Sandbox } from "../sandbox/create-sandbox.ts";

/** The mechanism that confines a thread's commands; null: its program did not ask, and its settings allow only the full sandbox or none. */
export async function findReport({ own, settings }: ThreadBase): Promise<SandboxReport | null> {
  const { allowWeaker } = settings.config.sandboxSettings;
  return own.reportsSandbox || allowWeaker ? settings.sandbox.report() : null;
}

/** Tells what confines commands after a change of settings, if the thread reports that and it is something else. */
export function tellSandbox(base: ThreadBase, before: Sandbox): void {
  if (base.settings.sandbox === before) return;
  findReport(base).then(
    (sandbox) => {
      if (sandbox === null || isDeepStrictEqual(sandbox, before.reported)) return;
      base.feed.tell({ type: "sandbox.updated", sandbox });
    },
    () => {}, // the first command reports it
  );
}
