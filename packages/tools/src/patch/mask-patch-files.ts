import { type PatchFiles, PatchFilesError } from "@unroll/apply-patch";
import type { SecretMask } from "@unroll/text";
import type { PathAccess } from "../port/path-access.ts";

/** Files as a patch is planned on them: as the model sees them. */
export interface MaskedPatchFiles {
  /** Its reads are masked. A file stays as it is where that could not be undone to the letter. */
  readonly files: PatchFiles;
  /** What is known of a file by its real path; null: of one that is not there. Nothing, where it may not be read. */
  readonly inspect: (realPath: string | null) => Promise<FileSecrets>;
}

/** Stand-ins, as text. */
export interface FileSecrets {
  /** Those whose values are in the file. */
  readonly held: ReadonlySet<string>;
  /** Those that the file itself has as text: a page about them. */
  readonly literal: ReadonlySet<string>;
}

/** A larger file is not looked at for what a patch puts in its place. */
const maxFileBytes = 64 * 1024 * 1024;
const nothing: FileSecrets = { held: new Set(), literal: new Set() };

export function maskPatchFiles(
  { patchFiles, access }: { readonly patchFiles: PatchFiles; readonly access: PathAccess },
  secrets: SecretMask,
): MaskedPatchFiles {
  const known = new Map<string, FileSecrets>();

  async function readMasked(path: string): Promise<Uint8Array> {
    const bytes = await patchFiles.readFile(path);
    const text = decodeText(bytes);
    if (text === null) return bytes;
    known.set(path, inspectText(text, secrets));
    const masked = secrets.mask(text);
    return masked !== text && putBack(masked, secrets) === text ? new TextEncoder().encode(masked) : bytes;
  }

  async function canInspect(path: string): Promise<boolean> {
    const stat = await patchFiles.stat(path);
    return stat?.type === "file" && stat.size <= maxFileBytes && access.canRead(path);
  }

  return {
    files: {
      resolve: (base, path) => patchFiles.resolve(base, path),
      stat: (path) => patchFiles.stat(path),
      realpath: (path) => patchFiles.realpath(path),
      readFile: readMasked,
      writeStaged: (target, bytes, like) => patchFiles.writeStaged(target, bytes, like),
      backUp: (path) => patchFiles.backUp(path),
      rename: (from, to) => patchFiles.rename(from, to),
      remove: (path) => patchFiles.remove(path),
      makeDirectory: (path) => patchFiles.makeDirectory(path),
      removeDirectory: (path) => patchFiles.removeDirectory(path),
    },
    async inspect(path) {
      if (path === null) return nothing;
      try {
        if (!known.has(path) && (await canInspect(path))) await readMasked(path);
      } catch (error) {
        if (!(error instanceof PatchFilesError)) throw error;
      }
      return known.get(path) ?? nothing;
    },
  };
}

/** What a text holds: secrets as they are, and stand-ins as text. */
export function inspectText(text: string, secrets: SecretMask): FileSecrets {
  const masked = secrets.findStandIns(secrets.mask(text));
  return {
    held: new Set(masked.flatMap((each) => (each.value !== null && text.includes(each.value) ? [each.text] : []))),
    literal: new Set(secrets.findStandIns(text).map((each) => each.text)),
  };
}

/** Null for what is no UTF-8. */
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
