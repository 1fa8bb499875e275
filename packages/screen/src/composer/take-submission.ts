import type { Composer, Submission } from "./composer.ts";
import { isStandIn } from "./piece.ts";

/** Makes the submission from a draft. */
export function toSubmission(composer: Pick<Composer, "text" | "pieces">): Submission {
  const images: string[] = [];
  let text = "";
  for (const character of composer.text) {
    const piece = isStandIn(character) ? composer.pieces.get(character) : undefined;
    if (piece === undefined) text += character;
    else if (piece.type === "paste") text += piece.text;
    else text += imageLabel(images.push(piece.source));
  }
  const trimmed = text.replace(/\s+$/, "");
  const isShell = trimmed.startsWith("!");
  return { text: isShell ? trimmed.slice(1).trim() : trimmed, images, isShell };
}

export function imageLabel(number: number): string {
  return `[image ${number}]`;
}
