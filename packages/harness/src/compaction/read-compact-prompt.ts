import type { CompactionSettings } from "@unroll/config";
import type { PromptFiles } from "@unroll/prompt";

export interface CompactPrompt {
  /** Null: our own instructions. */
  readonly text: string | null;
  /** For the person: why the file is not used. */
  readonly warnings: readonly string[];
}

const mostBytes = 64 * 1024;

/**
 * Reads the instructions for summaries that the config names. For an unusable file there is a
 * warning, and ours are used.
 */
export async function readCompactPrompt(
  { prompt, promptFile }: CompactionSettings,
  files: PromptFiles,
): Promise<CompactPrompt> {
  if (promptFile === null) return { text: prompt, warnings: [] };
  const file = await files.read(promptFile, mostBytes);
  const text = file.type === "read" ? new TextDecoder().decode(file.bytes).trim() : "";
  if (file.type === "read" && text !== "" && file.size <= mostBytes) return { text, warnings: [] };
  const fault = file.type === "read" ? (text === "" ? "is empty" : `has more than ${mostBytes} bytes`) : describe(file);
  const warning = `experimental_compact_prompt_file: ${promptFile} ${fault}, so unroll's own instructions for summaries are used.`;
  return { text: prompt, warnings: [warning] };
}

function describe(file: Exclude<Awaited<ReturnType<PromptFiles["read"]>>, { readonly type: "read" }>): string {
  switch (file.type) {
    case "missing":
      return "is not there";
    case "irregular":
      return "is not a regular file";
    case "unreadable":
      return `cannot be read (${file.reason})`;
    case "refused":
      return file.reason;
  }
}
