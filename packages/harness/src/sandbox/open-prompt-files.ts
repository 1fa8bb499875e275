import type { PromptFiles } from "@unroll/prompt";
import type { ReadSettings } from "./read-gate.ts";

/**
 * This machine's files as far as a prompt may have them. `read` refuses hidden files, files of unroll's own folder, and
 * paths that lead out of the project, under whatever name. For programs that read a file that somebody named.
 */
export async function openPromptFiles(settings: ReadSettings): Promise<PromptFiles> {
  const [{ gatePromptFiles, nodePromptFiles }, { toPromptGate }] = await Promise.all([
    import("@unroll/prompt/node"),
    import("./read-gate.ts"),
  ]);
  return gatePromptFiles(nodePromptFiles, () => toPromptGate(settings));
}
