import type { PromptFiles } from "../prompt-files.ts";

/** What a search through files needs: the files, and where to say what a person should know. */
export interface FileSearch {
  readonly files: PromptFiles;
  readonly warn: (warning: string) => void;
}
