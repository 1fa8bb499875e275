/**
 * The file system, as planning and committing a patch need it. Paths are in the port's own notation; all but the second
 * argument of `resolve` are absolute. A method that cannot do its work throws a `PatchFilesError`, which becomes part
 * of a `PatchFailure`; whatever else it throws is a bug and goes through.
 */
export interface PatchFiles {
  /** `path` against the folder `base`, with `.` and `..` worked out; an absolute `path` stays. Touches no file. */
  resolve(base: string, path: string): string;
  /** Takes hold of the folder that `path` leads to, every symbolic link followed. Null when no folder is there in the end. */
  openFolder(path: string): Promise<PatchFolder | null>;
}

/**
 * A folder that is held open. Everything is done in this folder, even if it is renamed or replaced
 * meanwhile. A `name` is one part of a path. A symbolic link of that name is never followed, except
 * by `followLink`.
 */
export interface PatchFolder extends AsyncDisposable {
  /** Where it was when it was opened, with every symbolic link followed. */
  readonly realPath: string;
  /** Tells it from every other folder that exists at the same time. */
  readonly identity: string;
  /** Whether it is still where it was. */
  isInPlace(): Promise<boolean>;
  /** Null when nothing is there. */
  stat(name: string): Promise<PatchFileStat | null>;
  /** The real path of what a symbolic link leads to. Null when nothing is there in the end. */
  followLink(name: string): Promise<string | null>;
  /** All bytes of a regular file. Fails if it differs from `known`. */
  readFile(name: string, known: PatchFileStat): Promise<Uint8Array>;
  /**
   * Writes a new file under a name of the port's choice, and gives back that name. Its permissions are these, as far as
   * this user may set them; null: those of any new file. The bytes are as durable as the port makes them.
   */
  writeStaged(bytes: Uint8Array, permissions: FilePermissions | null): Promise<string>;
  /**
   * Gives a file a second name, so that it can be replaced and restored. Fails if it differs from
   * `known`.
   */
  backUp(name: string, known: PatchFileStat): Promise<string>;
  /** An empty file under a name of the port's choice, for something to be renamed to. */
  reserveName(): Promise<string>;
  /** Atomically; what is at `to` is replaced. */
  rename(from: string, to: string): Promise<void>;
  /** Fails when something is at `to`. */
  renameToNew(from: string, to: string): Promise<void>;
  /** Not a folder. No error when nothing is there. */
  remove(name: string): Promise<void>;
  /** Makes a folder and takes hold of it. */
  makeFolder(name: string): Promise<PatchFolder>;
  /** An empty one. */
  removeFolder(name: string): Promise<void>;
}

/** The entry at a path, with what shows a later change of it. */
export interface PatchFileStat {
  /** `other`: a pipe, socket or device. */
  readonly type: "file" | "directory" | "link" | "other";
  /** In bytes. */
  readonly size: number;
  /** Changes whenever the file is changed or replaced, its permissions and number of names included. */
  readonly version: string;
  /** Changes whenever its bytes are changed or another file takes its place, and at nothing else. */
  readonly content: string;
  /** Whether its permissions let it be written to. */
  readonly isWritable: boolean;
  readonly permissions: FilePermissions;
}

/** As the system counts them; what a port has no use for is 0. */
export interface FilePermissions {
  readonly mode: number;
  readonly user: number;
  readonly group: number;
}
