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

/**
 * Why a file or a folder must not be read, as the rest of a sentence that begins with its path; null: `openPromptFiles`
 * would not refuse it.
 */
export async function explainRefusedPath(path: string, settings: ReadSettings): Promise<string | null> {
  const [prompt, { toPromptGate }] = await Promise.all([import("@unroll/prompt/node"), import("./read-gate.ts")]);
  return prompt.judgePath(path, toPromptGate(settings));
}

/** Tells which real paths a program may name to others: none of hidden files. For lists of very many files. */
export async function openNameGate(settings: ReadSettings): Promise<(realPath: string) => boolean> {
  const { toPromptGate } = await import("./read-gate.ts");
  return toPromptGate(settings).canRead;
}
