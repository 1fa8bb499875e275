/** A long paste that is folded, or an image: a draft holds one character for it. */
export type Piece =
  /** Shown as `[pasted 120 lines]`; sent as what it holds. */
  | { readonly type: "paste"; readonly text: string }
  /** Shown and sent as `[image 1]`; `source`, which this package does not read, goes with the message: a path, or a data URL. */
  | { readonly type: "image"; readonly source: string };

/** The pieces of a draft, by the character that stands for each. */
export type Pieces = ReadonlyMap<string, Piece>;

/**
 * Halves of surrogate pairs stand for pieces: no text that is typed or pasted holds one alone (`cleanInput`), no segmenter joins
 * one to its neighbours, and there are a thousand.
 */
const firstStandIn = 0xdc00;
const standIns = 1024;

/** Whether the character stands for a piece. */
export function isStandIn(character: string): boolean {
  return (
    character.length === 1 &&
    character.charCodeAt(0) >= firstStandIn &&
    character.charCodeAt(0) < firstStandIn + standIns
  );
}

/** The label of an image, counted from 1, in a message. */
export function imageLabel(number: number): string {
  return `[image ${number}]`;
}

/** The pieces with one more, and the character that stands for it; null where no more are held. */
export function addPiece(pieces: Pieces, piece: Piece): { pieces: Pieces; character: string } | null {
  if (pieces.size >= standIns) return null;
  const character = String.fromCharCode(firstStandIn + pieces.size);
  return { pieces: new Map([...pieces, [character, piece]]), character };
}
