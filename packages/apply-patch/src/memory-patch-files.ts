import { PatchFilesError } from "./plan/patch-files-error.ts";
import type { PatchFiles, PatchFileStat } from "./plan/patch-files.ts";

/** Files that are in memory only: for tests, for trying a patch on another tree, for programs without a disk. */
export interface MemoryPatchFiles extends PatchFiles {
  /** Every file by its path, as text. */
  texts(): Readonly<Record<string, string>>;
}

type Entry =
  | { readonly type: "file"; readonly bytes: Uint8Array; readonly version: string }
  | { readonly type: "directory" }
  | { readonly type: "link"; readonly target: string };

/**
 * A tree of these files by absolute path, parts divided by `/`; the folders on the way exist too. A value is a file's
 * text or bytes, or the absolute path that a symbolic link points to.
 */
export function createMemoryPatchFiles(
  contents: Readonly<Record<string, string | Uint8Array | { readonly link: string }>>,
): MemoryPatchFiles {
  const tree = new MemoryTree();
  for (const [path, content] of Object.entries(contents)) {
    tree.addFolders(tree.resolve(path, ".."));
    if (typeof content === "string") tree.addFile(path, new TextEncoder().encode(content));
    else if (content instanceof Uint8Array) tree.addFile(path, content);
    else tree.entries.set(path, { type: "link", target: content.link });
  }
  return tree;
}

class MemoryTree implements MemoryPatchFiles {
  readonly entries = new Map<string, Entry>([["/", { type: "directory" }]]);
  #count = 0;

  addFolders(path: string): void {
    if (path === "/") return;
    this.addFolders(this.resolve(path, ".."));
    this.entries.set(path, { type: "directory" });
  }

  addFile(path: string, bytes: Uint8Array): void {
    this.#count++;
    this.entries.set(path, { type: "file", bytes, version: String(this.#count) });
  }

  texts(): Readonly<Record<string, string>> {
    const files = [...this.entries].flatMap(([path, entry]) =>
      entry.type === "file" ? [[path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(entry.bytes)] as const] : [],
    );
    return Object.fromEntries(files);
  }

  resolve(base: string, path: string): string {
    const parts: string[] = [];
    for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    return `/${parts.join("/")}`;
  }

  async stat(path: string): Promise<PatchFileStat | null> {
    const place = await this.#place(path);
    const entry = place === null ? undefined : this.entries.get(place);
    if (entry === undefined) return null;
    const isFile = entry.type === "file";
    return {
      type: entry.type,
      size: isFile ? entry.bytes.length : 0,
      version: isFile ? entry.version : "",
      isWritable: true,
    };
  }

  async realpath(path: string): Promise<string | null> {
    const place = await this.#place(path);
    const entry = place === null ? undefined : this.entries.get(place);
    return entry?.type === "link" ? this.realpath(entry.target) : entry === undefined ? null : place;
  }

  async readFile(path: string): Promise<Uint8Array> {
    const entry = this.#existing(path);
    if (entry.type !== "file") throw new PatchFilesError("it is no file", { code: "EISDIR", retryable: false });
    return entry.bytes;
  }

  async writeStaged(target: string, bytes: Uint8Array): Promise<string> {
    const staged = `${target}.staged`;
    this.addFile(staged, bytes);
    return staged;
  }

  async backUp(path: string): Promise<string> {
    this.entries.set(`${path}.backup`, this.#existing(path));
    return `${path}.backup`;
  }

  async rename(from: string, to: string): Promise<void> {
    const entry = this.#existing(from);
    if (this.entries.get(to)?.type === "directory")
      throw new PatchFilesError("it is a folder", { code: "EISDIR", retryable: false });
    this.entries.delete(from);
    this.entries.set(to, entry);
  }

  async remove(path: string): Promise<void> {
    this.entries.delete(path);
  }

  async makeDirectory(path: string): Promise<void> {
    this.entries.set(path, { type: "directory" });
  }

  async removeDirectory(path: string): Promise<void> {
    this.entries.delete(path);
  }

  /**
   * `path` with the links of its folders followed, whether something is there or not; null when a folder is missing.
   */
  async #place(path: string): Promise<string | null> {
    const parent = this.resolve(path, "..");
    if (parent === path) return path;
    const folder = await this.realpath(parent);
    return folder === null || this.entries.get(folder)?.type !== "directory"
      ? null
      : this.resolve(folder, path.slice(path.lastIndexOf("/") + 1));
  }

  #existing(path: string): Entry {
    const entry = this.entries.get(path);
    if (entry === undefined) throw new PatchFilesError("nothing is there", { code: "ENOENT", retryable: false });
    return entry;
  }
}
