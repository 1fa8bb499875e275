import type { PatchFiles, PatchFolder } from "./patch-files.ts";

/** Folders that are held while a patch is planned or committed, each once. Disposing lets go of them. */
export class HeldFolders implements AsyncDisposable {
  readonly #files: PatchFiles;
  readonly #byPath = new Map<string, PatchFolder>();
  readonly #byRealPath = new Map<string, PatchFolder>();

  constructor(files: PatchFiles) {
    this.#files = files;
  }

  /** As of `PatchFiles`; for a path that was opened before, the folder that it led to then. */
  async open(path: string): Promise<PatchFolder | null> {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const opened = await this.#files.openFolder(path);
    if (opened === null) return null;
    const held = this.#byRealPath.get(opened.realPath);
    if (held === undefined) this.hold(opened);
    else await opened[Symbol.asyncDispose]();
    const folder = held ?? opened;
    this.#byPath.set(path, folder);
    return folder;
  }

  hold(folder: PatchFolder): void {
    this.#byRealPath.set(folder.realPath, folder);
  }

  /** Null when it is not held. */
  find(realPath: string): PatchFolder | null {
    return this.#byRealPath.get(realPath) ?? null;
  }

  list(): readonly PatchFolder[] {
    return [...this.#byRealPath.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of this.#byRealPath.values()) await folder[Symbol.asyncDispose]();
  }
}
