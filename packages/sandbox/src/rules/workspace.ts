import { isAbsolute } from "node:path";

/** Where commands run and what is around them. All paths are absolute. */
export interface Workspace {
  /** The working folder of the thread: the root that commands may write in `workspace-write`. */
  readonly folder: string;
  /** Where the sandbox keeps its own files; commands never write there. */
  readonly stateFolder: string;
  /** `$TMPDIR` of the commands; nothing when they have none. */
  readonly temporaryFolder: string | undefined;
  /** `$HOME` of the commands; nothing when they have none. */
  readonly home: string | undefined;
}

export function toWorkspace(
  folder: string,
  stateFolder: string,
  environment: Readonly<Record<string, string>>,
): Workspace {
  const { TMPDIR: temporaryFolder, HOME: home } = environment;
  return {
    folder,
    stateFolder,
    temporaryFolder: temporaryFolder !== undefined && isAbsolute(temporaryFolder) ? temporaryFolder : undefined,
    home,
  };
}
