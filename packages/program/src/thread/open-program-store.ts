import type { ThreadStore } from "@unroll/protocol";
import type { ProcessIo } from "../io/process-io.ts";

/** The threads of a Codex home. What reads them is loaded only now. */
export async function openProgramStore(
  codexHome: string,
  io: Pick<ProcessIo, "now" | "pid" | "isRunning">,
): Promise<ThreadStore> {
  const { openThreadStore } = await import("@unroll/rollout");
  return openThreadStore({ codexHome, clock: { now: () => io.now() }, processes: io });
}
