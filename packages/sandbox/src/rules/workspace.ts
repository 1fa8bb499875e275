import { isAbsolute } from "node:path";

/** Where commands run and what is around them. All paths are absolute. */
export interface Workspace {
  /** The working folder of the thread: the root that commands may write in `workspace-write`. */
  readonly folder: string;
  /** Where the sandbox keeps its own files; commands never write there. */
  readonly stateFolder: string;
  /** What else commands never write, also where it lies in a writable root. */
  readonly readOnlyFolders: readonly string[];
  /** `$TMPDIR` of the commands; nothing when they have none. */
  readonly temporaryFolder: string | undefined;
  /** `$HOME` of the commands; nothing when they have none. */
  readonly home: string | undefined;
}

/** The part of a setting that says where things are. */
export interface WorkspaceSetting {
  readonly workspace: string;
  readonly stateFolder: string;
  readonly readOnlyFolders?: readonly string[];
}

export function toWorkspace(setting: WorkspaceSetting, environment: Readonly<Record<string, string>>): Workspace {
  const { TMPDIR: temporaryFolder, HOME: home } = environment;
  return {
    folder: setting.workspace,
    stateFolder: setting.stateFolder,
    readOnlyFolders: setting.readOnlyFolders ?? [],
    temporaryFolder: temporaryFolder !== undefined && isAbsolute(temporaryFolder) ? temporaryFolder : undefined,
    home,
  };
}
