import type { FileRead, FolderEntry, FolderRead, PromptFiles } from "@unroll/prompt";

export interface MemoryFolder {
  /** Absolute path to content. Folders are there as far as a file lies in them. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Absolute path of a symbolic link to the absolute path that it points at. */
  readonly links?: Readonly<Record<string, string>>;
  /** Absolute path of what cannot be read to the reason. */
  readonly unreadable?: Readonly<Record<string, string>>;
}

/** The file port on a tree in memory. */
export function createMemoryFiles({ files, links = {}, unreadable = {} }: MemoryFolder): PromptFiles {
  function resolve(path: string): string {
    const link = Object.keys(links).find((from) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : resolve(links[link] + path.slice(link.length));
  }
  const children = (folder: string): readonly string[] => {
    const start = folder.endsWith("/") ? folder : `${folder}/`;
    const below = [...Object.keys(files), ...Object.keys(links)].filter((path) => path.startsWith(start));
    return [...new Set(below.map((path) => path.slice(start.length).split("/")[0] ?? ""))];
  };
  function toEntry(folder: string, name: string): FolderEntry {
    const path = resolve(`${folder}/${name}`);
    const type = path in files ? "file" : children(path).length > 0 ? "folder" : "other";
    return { name, type };
  }
  return {
    async read(path, maxBytes): Promise<FileRead> {
      const real = resolve(path);
      const reason = unreadable[real];
      if (reason !== undefined) return { type: "unreadable", reason };
      const content = files[real];
      if (content === undefined) return { type: children(real).length > 0 ? "irregular" : "missing" };
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return { type: "read", bytes: bytes.subarray(0, maxBytes), size: bytes.length };
    },
    async list(path): Promise<FolderRead> {
      const real = resolve(path);
      const reason = unreadable[real];
      if (reason !== undefined) return { type: "unreadable", reason };
      const names = children(real);
      if (names.length === 0) return { type: "missing" };
      return { type: "listed", realPath: real, entries: names.map((name) => toEntry(real, name)).reverse() };
    },
  };
}
