import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemErrorCode } from "@unroll/text";

/** A folder's configuration as it is now. */
interface FolderConfig {
  readonly codexHome: string;
  /** The folder, with every link followed. */
  readonly folder: string;
  /** Null where there is none. */
  readonly text: string | null;
}

/**
 * How a folder's configuration compares with what was written down of it. `record` is the file that says it, whose removal
 * accepts what is there now. A home that cannot be written keeps no record: everything is `unrecorded`.
 */
interface FolderRecord {
  readonly type: "same" | "changed" | "unrecorded";
  readonly record: string;
}

/**
 * Trust is given to a configuration that a person has seen. A command in the sandbox may write the `.codex` of another
 * project, or of this one while nobody holds it down; so each trusted folder's is written down in the harness's own home,
 * where no command writes, when it is first met: its hash, or that there is none.
 */
export async function compareWithRecord({ codexHome, folder, text }: FolderConfig): Promise<FolderRecord> {
  const record = toRecordFile(codexHome, folder);
  const before = await readRecord(record);
  if (before === null) return { type: "unrecorded", record };
  return { type: before === toState(text) ? "same" : "changed", record };
}

/** Accepts a configuration as it is. */
export async function writeRecord({ codexHome, folder, text }: FolderConfig): Promise<void> {
  const record = toRecordFile(codexHome, folder);
  try {
    await mkdir(dirname(record), { mode: 0o700 }).catch(() => {});
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(record, `${toState(text)}  ${folder}\n`, { mode: 0o600 });
  } catch {
    // The next start will try again.
  }
}

function toRecordFile(codexHome: string, folder: string): string {
  return join(codexHome, "project-files", createHash("sha256").update(folder).digest("hex"));
}

function toState(text: string | null): string {
  return text === null ? "none" : createHash("sha256").update(text).digest("hex");
}

/** Null where there is none; one that cannot be read says nothing that we could agree with. */
async function readRecord(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).split(" ")[0] ?? "";
  } catch (error) {
    return systemErrorCode(error) === "ENOENT" ? null : "";
  }
}
