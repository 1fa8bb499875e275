/**
 * The file system, as planning and committing a patch need it. Paths are in the port's own notation; all but the second
 * argument of `resolve` are absolute. A method that cannot do its work throws a `PatchFilesError`, which becomes part
 * of a `PatchFailure`; whatever else it throws is a bug and goes through.
 */
export interface PatchFiles {
  /** `path` against the folder `base`, with `.` and `..` worked out; an absolute `path` stays. Touches no file. */
  resolve(base: string, path: string): string;
  /** What is at `path`, a symbolic link at its end not followed. Null when nothing is. */
  stat(path: string): Promise<PatchFileStat | null>;
  /** `path` with every symbolic link followed. Null when nothing is there in the end. */
  realpath(path: string): Promise<string | null>;
  /** All bytes of a regular file. */
  readFile(path: string): Promise<Uint8Array>;
  /**
   * Writes a new file into the folder of `target`, under a name of the port's choice, and gives back its path. Mode
   * (and owner, where allowed) are those of the file `like`, or a new file's when null. The bytes are as durable as the
   * port makes them.
   */
  writeStaged(target: string, bytes: Uint8Array, like: string | null): Promise<string>;
  /** Gives what is at `path` a second name in its folder, so that `path` can be replaced and put back. */
  backUp(path: string): Promise<string>;
  /** Atomically; what is at `to` is replaced. */
  rename(from: string, to: string): Promise<void>;
  /** No error when nothing is there. */
  remove(path: string): Promise<void>;
  /** One level; its parent exists. */
  makeDirectory(path: string): Promise<void>;
  /** An empty one. */
  removeDirectory(path: string): Promise<void>;
}

export interface PatchFileStat {
  /** `other`: a pipe, socket or device. */
  readonly type: "file" | "directory" | "link" | "other";
  /** In bytes. */
  readonly size: number;
  /** Changes whenever the file is changed or replaced. */
  readonly version: string;
  /** Whether its permissions let it be written to. */
  readonly isWritable: boolean;
}
