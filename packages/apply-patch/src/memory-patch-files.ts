import { checkShape } from "@unroll/text";
import { PatchFilesError } from "./plan/patch-files-error.ts";
import type { FilePermissions, PatchFiles, PatchFileStat, PatchFolder } from "./plan/patch-files.ts";

/** Files that are in memory only: for tests, for trying a patch on another tree, for programs without a disk. */
export interface MemoryPatchFiles extends PatchFiles {
  /** Every file by its path, as text. */
  texts(): Readonly<Record<string, string>>;
}

/** A node is the same one for as long as it exists, whatever its name. */
type Node = FileNode | FolderNode | LinkNode;
interface FileNode {
  readonly type: "file";
  readonly bytes: Uint8Array;
  readonly version: string;
}
interface FolderNode {
  readonly type: "directory";
  readonly version: string;
  readonly entries: Map<string, Node>;
}
interface LinkNode {
  readonly type: "link";
  readonly version: string;
  readonly target: string;
}
interface Found<T extends Node> {
  readonly realPath: string;
  readonly node: T;
}

/**
 * A tree of these files by absolute path, parts divided by `/`; the folders on the way exist too. A value is a file's
 * text or bytes, or the absolute path that a symbolic link points to.
 */
export function createMemoryPatchFiles(
  contents: Readonly<Record<string, string | Uint8Array | { readonly link: string }>>,
): MemoryPatchFiles {
  checkShape("createMemoryPatchFiles", contents, {});
  const tree = new MemoryTree();
  for (const [path, content] of Object.entries(contents)) {
    const folder = tree.addFolders(resolvePath(path, ".."));
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (typeof content === "string") folder.entries.set(name, tree.createFile(new TextEncoder().encode(content)));
    else if (content instanceof Uint8Array) folder.entries.set(name, tree.createFile(content));
    else folder.entries.set(name, tree.createLink(content.link));
  }
  return tree;
}

class MemoryTree implements MemoryPatchFiles {
  #count = 0;
  readonly #root: FolderNode = this.createFolder();
  readonly resolve = resolvePath;

  createFile(bytes: Uint8Array): FileNode {
    return { type: "file", bytes, version: this.#nextVersion() };
  }

  createFolder(): FolderNode {
    return { type: "directory", version: this.#nextVersion(), entries: new Map() };
  }

  createLink(target: string): LinkNode {
    return { type: "link", version: this.#nextVersion(), target };
  }

  addFolders(path: string): FolderNode {
    let folder = this.#root;
    for (const name of toParts(path)) {
      const next = folder.entries.get(name);
      const child = next?.type === "directory" ? next : this.createFolder();
      folder.entries.set(name, child);
      folder = child;
    }
    return folder;
  }

  texts(): Readonly<Record<string, string>> {
    return Object.fromEntries(listTexts("", this.#root));
  }

  async openFolder(path: string): Promise<PatchFolder | null> {
    const found = this.find(path);
    return found?.node.type === "directory" ? new MemoryFolder(this, found.realPath, found.node) : null;
  }

  /** The entry at `path`, with every link followed. */
  find(path: string): Found<Node> | null {
    let found: Found<Node> = { realPath: "/", node: this.#root };
    for (const name of toParts(path)) {
      if (found.node.type !== "directory") return null;
      const node = found.node.entries.get(name);
      const next =
        node?.type === "link" ? this.find(node.target) : node && { realPath: join(found.realPath, name), node };
      if (!next) return null;
      found = next;
    }
    return found;
  }

  #nextVersion(): string {
    this.#count++;
    return String(this.#count);
  }
}

const permissions: FilePermissions = { mode: 0o644, user: 0, group: 0 };

class MemoryFolder implements PatchFolder {
  readonly realPath: string;
  readonly identity: string;
  readonly #tree: MemoryTree;
  readonly #node: FolderNode;

  constructor(tree: MemoryTree, realPath: string, node: FolderNode) {
    this.#tree = tree;
    this.#node = node;
    this.realPath = realPath;
    this.identity = node.version;
  }

  async isInPlace(): Promise<boolean> {
    const now = this.#tree.find(this.realPath);
    return now?.node === this.#node && now.realPath === this.realPath;
  }

  async stat(name: string): Promise<PatchFileStat | null> {
    const node = this.#node.entries.get(name);
    if (node === undefined) return null;
    const { type, version } = node;
    const size = type === "file" ? node.bytes.length : 0;
    return { type, size, version, content: version, isWritable: true, permissions };
  }

  async followLink(name: string): Promise<string | null> {
    return this.#tree.find(join(this.realPath, name))?.realPath ?? null;
  }

  async readFile(name: string, known: PatchFileStat): Promise<Uint8Array> {
    const node = this.#known(name, known);
    if (node.type !== "file") throw new PatchFilesError("it is no file", { code: "EISDIR", retryable: false });
    return node.bytes;
  }

  async writeStaged(bytes: Uint8Array): Promise<string> {
    return this.#addFree("staged", this.#tree.createFile(bytes));
  }

  async backUp(name: string, known: PatchFileStat): Promise<string> {
    return this.#addFree("backup", this.#known(name, known));
  }

  async reserveName(): Promise<string> {
    return this.#addFree("backup", this.#tree.createFile(new Uint8Array()));
  }

  async rename(from: string, to: string): Promise<void> {
    const node = this.#existing(from);
    if (this.#node.entries.get(to)?.type === "directory")
      throw new PatchFilesError("it is a folder", { code: "EISDIR", retryable: false });
    this.#node.entries.delete(from);
    this.#node.entries.set(to, node);
  }

  async renameToNew(from: string, to: string): Promise<void> {
    this.#refuseTaken(to);
    await this.rename(from, to);
  }

  async remove(name: string): Promise<void> {
    this.#node.entries.delete(name);
  }

  async makeFolder(name: string): Promise<PatchFolder> {
    this.#refuseTaken(name);
    const node = this.#tree.createFolder();
    this.#node.entries.set(name, node);
    return new MemoryFolder(this.#tree, join(this.realPath, name), node);
  }

  async removeFolder(name: string): Promise<void> {
    const node = this.#existing(name);
    if (node.type === "directory" && node.entries.size === 0) this.#node.entries.delete(name);
    else throw new PatchFilesError("the folder is not empty", { code: "ENOTEMPTY", retryable: false });
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #addFree(kind: string, node: Node): string {
    let name = `.patch-0.${kind}`;
    for (let number = 1; this.#node.entries.has(name); number++) name = `.patch-${number}.${kind}`;
    this.#node.entries.set(name, node);
    return name;
  }

  #refuseTaken(name: string): void {
    if (this.#node.entries.has(name))
      throw new PatchFilesError("something is there already", { code: "EEXIST", retryable: false });
  }

  #existing(name: string): Node {
    const node = this.#node.entries.get(name);
    if (node === undefined) throw new PatchFilesError("nothing is there", { code: "ENOENT", retryable: false });
    return node;
  }

  #known(name: string, { content }: PatchFileStat): Node {
    const node = this.#existing(name);
    if (node.version !== content)
      throw new PatchFilesError("it is being changed at this moment", { code: "ESTALE", retryable: true });
    return node;
  }
}

function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of toParts(path.startsWith("/") ? path : `${base}/${path}`)) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function toParts(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "");
}

function join(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

function listTexts(path: string, { entries }: FolderNode): readonly (readonly [string, string])[] {
  return [...entries].flatMap(([name, node]): readonly (readonly [string, string])[] => {
    if (node.type === "directory") return listTexts(`${path}/${name}`, node);
    if (node.type === "link") return [];
    return [[`${path}/${name}`, new TextDecoder("utf-8", { ignoreBOM: true }).decode(node.bytes)]];
  });
}
