import { explainUnplaced } from "../diagnose/explain-unplaced.ts";
import { createLineLadder } from "../match/line-ladder.ts";
import { placeHunks } from "../match/place-hunks.ts";
import type { UpdateFilePatch } from "../patch.ts";
import { problemLimit, type PatchProblem } from "../patch-failure.ts";
import { editText } from "../text/edit-text.ts";
import { decodeText, encodeText } from "../text/text-file.ts";
import { unusable } from "./draft.ts";

/** The bytes of a file after an update, or every reason why it does not fit them. */
export function updateText(bytes: Uint8Array, { path, hunks }: UpdateFilePatch): Uint8Array | readonly PatchProblem[] {
  if (hunks.length === 0) return bytes;
  const file = decodeText(bytes);
  if (typeof file === "string") return [unusable(path, file)];
  const ladder = createLineLadder(file.lines);
  const placements = placeHunks(ladder, hunks);
  const placed = placements.filter((placement) => placement.type === "hunk.placed");
  if (placed.length === placements.length) return encodeText(editText(file, placed));
  return placements
    .flatMap((placement, index) =>
      placement.type === "hunk.placed" ? [] : [{ unplaced: placement, number: index + 1 }],
    )
    .slice(0, problemLimit + 1)
    .map(({ unplaced, number }) => explainUnplaced({ path, number, unplaced, ladder }));
}
