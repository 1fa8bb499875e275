/** The effect of a part of a script, to be shown to you. `command` is the part as it is written. */
export type CommandAction =
  /** Shows one file. `name`: its shortened path. `path`: absolute. */
  | { readonly type: "read"; readonly command: string; readonly name: string; readonly path: string }
  /** Lists the files of a folder. `path`: shortened; null for the working folder. */
  | { readonly type: "list_files"; readonly command: string; readonly path: string | null }
  /** Searches for a text or a file name. `path`: where, shortened; null for the working folder. */
  | {
      readonly type: "search";
      readonly command: string;
      readonly query: string | null;
      readonly path: string | null;
    }
  /** Anything else. */
  | { readonly type: "unknown"; readonly command: string };
