import type { Picture, PictureProtocol } from "./picture.ts";

/** The sequence that shows a picture from the cursor on, and the rows that it takes. Where it leaves the cursor is the terminal's choice. */
export interface DrawnPicture {
  readonly sequence: string;
  readonly rows: number;
}

/** The size of a terminal's screen, in cells. */
export interface PictureRoom {
  readonly columns: number;
  readonly rows: number;
}

/** Taken for the size of a cell, in pixels: twice as high as it is wide, which fonts for terminals are. */
const cell = { width: 10, height: 20 };
const mostColumns = 80;
const mostRows = 20;

/** Of base64: iTerm2 takes no longer sequence than 2^20 bytes; kitty's protocol is in pieces, and this is for slow lines. */
const mostCharacters: Readonly<Record<PictureProtocol, number>> = { iterm2: 1_000_000, kitty: 2_800_000 };

/** A picture, scaled down to at most half of the screen, never up. Null: the terminal cannot show this one. */
export function drawPicture(picture: Picture, protocol: PictureProtocol, room: PictureRoom): DrawnPicture | null {
  const { base64, mediaType } = picture;
  if (protocol === "kitty" && mediaType !== "image/png") return null;
  if (base64.length > mostCharacters[protocol] || !isBase64(base64) || room.rows < 4) return null;
  const rows = fitRows(picture, room);
  return { sequence: protocol === "kitty" ? encodeForKitty(base64, rows) : encodeForITerm2(base64, rows), rows };
}

function fitRows({ width, height }: Picture, { columns, rows }: PictureRoom): number {
  const most = { width: Math.min(mostColumns, columns - 1), height: Math.min(mostRows, Math.floor(rows / 2)) };
  const scale = Math.min(1, (most.width * cell.width) / width, (most.height * cell.height) / height);
  return Math.max(1, Math.min(most.height, Math.ceil((height * scale) / cell.height)));
}

/** Any other character could end the sequence. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** A multiple of 4, as the protocol wants it. */
const pieceCharacters = 4096;

/** https://sw.kovidgoyal.net/kitty/graphics-protocol: sent in pieces and shown where the cursor is (C=1: which stays), without an answer (q=2). */
function encodeForKitty(base64: string, rows: number): string {
  const pieces: string[] = [];
  for (let at = 0; at < base64.length; at += pieceCharacters) {
    const head = at === 0 ? `a=T,f=100,C=1,q=2,r=${rows},` : "q=2,";
    const more = at + pieceCharacters < base64.length ? 1 : 0;
    pieces.push(`\u001b_G${head}m=${more};${base64.slice(at, at + pieceCharacters)}\u001b\\`);
  }
  return pieces.join("");
}

/** https://iterm2.com/documentation-images.html */
function encodeForITerm2(base64: string, rows: number): string {
  const padding = /=*$/.exec(base64)?.[0].length ?? 0;
  const size = (base64.length / 4) * 3 - padding;
  return `\u001b]1337;File=inline=1;size=${size};height=${rows};preserveAspectRatio=1:${base64}\u0007`;
}
