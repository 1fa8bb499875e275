import type { FilePatch, Patch, PatchFiles, PatchPlan, PlannedWrite } from "@unroll/apply-patch";
import type { SecretMask, StandIn } from "@unroll/text";
import type { PathAccess } from "../port/path-access.ts";
import { decodeText, type FileSecrets, inspectText, maskPatchFiles } from "./mask-patch-files.ts";

/**
 * A patch and its files as the model sees them. All is planned and shown with stand-ins, and values are put back at last,
 * in what is written.
 */
export interface MaskedPatch {
  readonly patch: Patch;
  readonly files: PatchFiles;
  /** The plan with the values, or why there is none: a patch may not carry a value to another file. */
  restore(plan: PatchPlan): Promise<PatchPlan | RefusedStandIns>;
}

interface RefusedStandIns {
  readonly type: "standins.refused";
  /** Advice for the model. */
  readonly message: string;
  /** For a person. */
  readonly reason: string;
}

interface MaskPorts {
  readonly patchFiles: PatchFiles;
  readonly access: PathAccess;
  /** Absent: nothing is masked. */
  readonly secrets?: SecretMask;
}

/**
 * `text`: the patch as the model wrote it. A value that the model wrote itself is not secret to it,
 * and may go anywhere.
 */
export function maskPatch(
  ports: MaskPorts,
  { patch, text }: { readonly patch: Patch; readonly text: string },
): MaskedPatch {
  const { secrets, patchFiles } = ports;
  if (secrets === undefined) return { patch, files: patchFiles, restore: async (plan) => plan };
  const { files, inspect } = maskPatchFiles(ports, secrets);
  const written = inspectText(text, secrets).held;

  return {
    patch: { files: patch.files.map((file) => maskFilePatch(file, secrets.mask)) },
    files,
    async restore(plan) {
      const refused: string[] = [];
      const writes: PlannedWrite[] = [];
      for (const write of plan.writes) {
        const text = write.bytes && decodeText(write.bytes);
        const standIns = text === null ? [] : secrets.findStandIns(text);
        const source = standIns.length === 0 ? null : await inspect(findSource(plan, write));
        const fates = standIns.map((standIn) => ({ standIn, fate: source && judge(standIn, source, written) }));
        for (const { standIn, fate } of fates) if (fate === "refused") refused.push(explain(write.path, standIn));
        const restored = fates.reduce(
          (left, { standIn: { text: shown, value }, fate }) =>
            fate === "restored" ? left.replaceAll(shown, () => value ?? shown) : left,
          text ?? "",
        );
        writes.push(
          restored === text || text === null ? write : { ...write, bytes: new TextEncoder().encode(restored) },
        );
      }
      return refused.length === 0 ? { ...plan, writes } : refuse(refused);
    },
  };
}

/** The content that a write replaces; for a moved file, the old one. */
function findSource({ changes, writes }: PatchPlan, write: PlannedWrite): PlannedWrite {
  const from = changes.find(({ path }) => path === write.path)?.movedFrom ?? null;
  return writes.find(({ path }) => path === from) ?? write;
}

function maskFilePatch(file: FilePatch, mask: (text: string) => string): FilePatch {
  switch (file.type) {
    case "file.add":
      return { ...file, lines: file.lines.map(mask) };
    case "file.delete":
      return file;
    case "file.update":
      return {
        ...file,
        hunks: file.hunks.map((hunk) => ({
          ...hunk,
          anchors: hunk.anchors.map(mask),
          lines: hunk.lines.map((line) => ({ ...line, text: mask(line.text) })),
        })),
      };
  }
}

/** Decides about a stand-in in the new content. */
function judge(
  { text, value }: StandIn,
  { held, literal }: FileSecrets,
  written: ReadonlySet<string>,
): "restored" | "kept" | "refused" {
  const isWanted = value !== null && (held.has(text) || written.has(text));
  if (literal.has(text)) return written.has(text) ? "refused" : "kept";
  return isWanted ? "restored" : "refused";
}

function explain(path: string, { text, value }: StandIn): string {
  return value === null
    ? `${path}: ${text} stands for no value that is known.`
    : `${path}: ${text} stands for a credential, and the file does not hold it. Its value is only put back where it was.`;
}

function refuse(problems: readonly string[]): RefusedStandIns {
  const advice =
    "Nothing was written. Leave such lines out of the patch, or let the program read the variable or the file instead.";
  const [reason = ""] = problems;
  return { type: "standins.refused", message: [...problems, advice].join("\n"), reason };
}
