import { openProgramUpkeep, type ProcessIo } from "@unroll/program";
import { type Finding, toFinding } from "../finding.ts";

/** Writes and locks a file where threads are kept. `codexHome`: absolute. */
export async function checkThreads(codexHome: string, io: ProcessIo): Promise<readonly Finding[]> {
  const { folder, warning } = await (await openProgramUpkeep(codexHome, io)).check();
  return warning === null
    ? [toFinding("threads", "ok", `Threads can be written in ${folder}, and locks hold.`)]
    : [toFinding("threads", "warning", warning)];
}
