import type { FileThreadStore } from "@unroll/rollout";
import type { ProcessIo } from "../io/process-io.ts";

type StoreIo = Pick<ProcessIo, "now" | "pid">;

/** The threads of a Codex home. Imports the store only now. */
export async function openProgramStore(codexHome: string, io: StoreIo): Promise<FileThreadStore> {
  const { openThreadStore } = await import("@unroll/rollout");
  return openThreadStore({ codexHome, clock: { now: () => io.now() }, pid: io.pid });
}
