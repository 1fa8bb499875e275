import { cleanInput } from "../edit/clean-input.ts";
import type { Draft } from "./composer.ts";
import { addPiece, imageLabel, type Pieces } from "./piece.ts";

/**
 * The text of a draft as a composer holds it: the first `[image 1]` in it is its first image again. An image whose label is gone
 * is not attached; an image that the composer knows already is the same piece.
 */
export function attachDraft(pieces: Pieces, draft: Draft): { readonly text: string; readonly pieces: Pieces } {
  let attached = pieces;
  const attach = (label: string, source: string): string => {
    const known = [...attached].find(([, piece]) => piece.type === "image" && piece.source === source);
    const added = known === undefined ? addPiece(attached, { type: "image", source }) : null;
    attached = added?.pieces ?? attached;
    return known?.[0] ?? added?.character ?? label;
  };
  const text = draft.images.reduce((written, source, index) => {
    const label = imageLabel(index + 1);
    return written.replace(label, () => attach(label, source));
  }, cleanInput(draft.text));
  return { text, pieces: attached };
}
