import type { JournalEntry } from "@unroll/protocol";
import type { RequestedSettings } from "./requested-settings.ts";

/** A thread goes on in the folder and with the model that it had, unless the program says otherwise. */
export function withRecorded(asked: RequestedSettings, entries: readonly JournalEntry[]): RequestedSettings {
  const recorded = entries.findLast((entry) => entry.type === "settings")?.settings;
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const isDemo = opened?.provider === "demo"; // it stands in where there is no key, and only there
  return {
    ...asked,
    cwd: asked.cwd ?? recorded?.cwd ?? null,
    model: asked.model ?? (isDemo ? null : (recorded?.model ?? null)),
  };
}
