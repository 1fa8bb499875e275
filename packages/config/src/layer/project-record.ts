import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A project's configuration as it is now. */
export interface ProjectFile {
  readonly codexHome: string;
  /** The project's root, with every link followed. */
  readonly root: string;
  /** Null where there is none. */
  readonly text: string | null;
}

/**
 * Trust is given to a configuration that a person has seen. A command in the sandbox may write the `.codex` of another
 * project, or of this one while nobody holds it down; so each trusted project's is written down in the harness's own home,
 * where no command writes, when it is first met: its hash, or that there is none. Returns null where it is the same as
 * then, and else the file whose removal accepts what is there now. A home that cannot be written keeps no record.
 */
export async function findUnacceptedChange(file: ProjectFile): Promise<string | null> {
  const record = join(file.codexHome, "project-files", createHash("sha256").update(file.root).digest("hex"));
  const state = file.text === null ? "none" : createHash("sha256").update(file.text).digest("hex");
  const before = await readRecord(record);
  if (before !== null) return before === state ? null : record;
  try {
    await mkdir(dirname(record), { mode: 0o700 }).catch(() => {});
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(record, `${state}  ${file.root}\n`, { mode: 0o600 });
  } catch {
    // The next start will try again.
  }
  return null;
}

/** Null where there is none; one that cannot be read says nothing that we could agree with. */
async function readRecord(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).split(" ")[0] ?? "";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? null : "";
  }
}
