import {
  type PatchFiles,
  type PatchFileStat,
  type PatchFolder,
  type PlannedWrite,
  readPlanned,
} from "@unroll/apply-patch";
import type { SecretMask } from "@unroll/text";
import type { PathAccess } from "../port/path-access.ts";

/** Files as a patch is planned on them: as the model sees them. */
export interface MaskedPatchFiles {
  /** Its reads are masked. A file stays as it is where that could not be undone to the letter. */
  readonly files: PatchFiles;
  /** Secrets in the file that a write replaces. None if there is no file, or it may not be read. */
  readonly inspect: (write: PlannedWrite) => Promise<FileSecrets>;
}

/** Stand-ins, as text. */
export interface FileSecrets {
  /** Secrets whose values are in the file. */
  readonly held: ReadonlySet<string>;
  /** Stand-ins that the file itself has as text, such as a page about them. */
  readonly literal: ReadonlySet<string>;
}

/** A larger file is not looked at for what a patch puts in its place. */
const maxFileBytes = 64 * 1024 * 1024;
const nothing: FileSecrets = { held: new Set(), literal: new Set() };

export function maskPatchFiles(
  { patchFiles, access }: { readonly patchFiles: PatchFiles; readonly access: PathAccess },
  secrets: SecretMask,
): MaskedPatchFiles {
  /** By real path. */
  const known = new Map<string, FileSecrets>();

  async function readMasked(folder: PatchFolder, name: string, stat: PatchFileStat): Promise<Uint8Array> {
    const bytes = await folder.readFile(name, stat);
    const text = decodeText(bytes);
    if (text === null) return bytes;
    known.set(patchFiles.resolve(folder.realPath, name), inspectText(text, secrets));
    const masked = secrets.mask(text);
    return masked !== text && putBack(masked, secrets) === text ? new TextEncoder().encode(masked) : bytes;
  }

  const files: PatchFiles = {
    resolve: (base, path) => patchFiles.resolve(base, path),
    async openFolder(path) {
      const folder = await patchFiles.openFolder(path);
      return folder && maskReads(folder, (name, stat) => readMasked(folder, name, stat));
    },
  };
  return {
    files,
    async inspect(write) {
      const { before, realPath } = write;
      const isLegible = before?.type === "file" && before.size <= maxFileBytes && access.canRead(realPath);
      if (!known.has(realPath) && isLegible) await readPlanned(files, write);
      return known.get(realPath) ?? nothing;
    },
  };
}

/** Finds the secrets in a text, and stand-ins as text. */
export function inspectText(text: string, secrets: SecretMask): FileSecrets {
  const masked = secrets.findStandIns(secrets.mask(text));
  return {
    held: new Set(masked.flatMap((each) => (each.value !== null && text.includes(each.value) ? [each.text] : []))),
    literal: new Set(secrets.findStandIns(text).map((each) => each.text)),
  };
}

/** Null for anything but UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function putBack(masked: string, secrets: SecretMask): string {
  return secrets
    .findStandIns(masked)
    .reduce((text, standIn) => text.replaceAll(standIn.text, () => standIn.value ?? standIn.text), masked);
}

function maskReads(folder: PatchFolder, readFile: PatchFolder["readFile"]): PatchFolder {
  return {
    realPath: folder.realPath,
    identity: folder.identity,
    isInPlace: () => folder.isInPlace(),
    stat: (name) => folder.stat(name),
    followLink: (name) => folder.followLink(name),
    readFile,
    writeStaged: (bytes, permissions) => folder.writeStaged(bytes, permissions),
    backUp: (name, stat) => folder.backUp(name, stat),
    reserveName: () => folder.reserveName(),
    rename: (from, to) => folder.rename(from, to),
    renameToNew: (from, to) => folder.renameToNew(from, to),
    remove: (name) => folder.remove(name),
    makeFolder: (name) => folder.makeFolder(name),
    removeFolder: (name) => folder.removeFolder(name),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
