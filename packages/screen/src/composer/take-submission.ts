import type { Composer, Draft, Submission } from "./composer.ts";
import { imageLabel, isStandIn } from "./piece.ts";

/** The draft as it is, with pastes in full. */
export function expandDraft(composer: Pick<Composer, "text" | "pieces">): Draft {
  const images: string[] = [];
  let text = "";
  for (const character of composer.text) {
    const piece = isStandIn(character) ? composer.pieces.get(character) : undefined;
    if (piece === undefined) text += character;
    else if (piece.type === "paste") text += piece.text;
    else text += imageLabel(images.push(piece.source));
  }
  return { text, images };
}

/** Makes the submission from a draft. */
export function toSubmission(composer: Pick<Composer, "text" | "pieces">): Submission {
  const { text, images } = expandDraft(composer);
  const trimmed = text.replace(/\s+$/, "");
  const isShell = trimmed.startsWith("!");
  return { text: isShell ? trimmed.slice(1).trim() : trimmed, images, isShell };
}
