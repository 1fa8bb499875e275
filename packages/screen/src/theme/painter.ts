import { showHidden } from "@unroll/text";
import type { Row } from "../line/row.ts";
import type { Role } from "../line/styled-line.ts";
import { type DrawnPicture, drawPicture, type PictureRoom } from "../picture/draw-picture.ts";
import type { Picture, PictureProtocol } from "../picture/picture.ts";
import { placeClusters } from "../width/place-clusters.ts";
import { type ColorDepth, toColorParameters } from "./color.ts";
import type { Look, Theme } from "./theme.ts";

export interface PainterOptions {
  readonly theme: Theme;
  /** `none` (NO_COLOR) still shows bold, underlined and inverse text. */
  readonly colors: ColorDepth;
  /** Whether links are written as the terminal's own (OSC 8). */
  readonly hasLinks: boolean;
  /** How the terminal takes pictures; absent or null: it shows none. */
  readonly pictures?: PictureProtocol | null;
}

/** Rows to the bytes that show them. Each row begins and ends with the terminal's plain look. */
export interface Painter {
  readonly paint: (row: Row) => string;
  /** The same for a row of the live region or a page: each character is where `measureText` counts it, in every terminal. */
  readonly paintPlaced: (row: Row) => string;
  /** A picture in the scrollback; null: it cannot be shown. */
  readonly draw: (picture: Picture, room: PictureRoom) => DrawnPicture | null;
  /** Whether pictures are shown at all. */
  readonly hasPictures: boolean;
}

/** A painter for one theme and one terminal. Control characters that a span should not hold are written out, never sent. */
export function createPainter(options: PainterOptions): Painter {
  const { pictures = null } = options;
  const known = new Map<string, string>();
  const lookUp = (roles: readonly Role[]): string => {
    const key = roles.length === 1 ? (roles[0] ?? "") : roles.join();
    const found =
      known.get(key) ??
      toSgr(
        roles.map((role) => options.theme.looks[role]),
        options.colors,
      );
    known.set(key, found);
    return found;
  };
  const paint = (row: Row, toText: (text: string) => string): string =>
    row
      .map((span) => {
        const sgr = span.roles === undefined ? "" : lookUp(span.roles);
        return decorate(toText(toPaintable(span.text)), { sgr, link: (options.hasLinks ? span.link : null) ?? null });
      })
      .join("");
  return {
    paint: (row) => paint(row, (text) => text),
    paintPlaced: (row) => paint(row, placeClusters),
    draw: (picture, room) => (pictures === null ? null : drawPicture(picture, pictures, room)),
    hasPictures: pictures !== null,
  };
}

function toPaintable(text: string): string {
  return control.test(text) ? showHidden(text).replaceAll(/[\n\t]/g, " ") : text;
}

function decorate(text: string, { sgr, link }: { readonly sgr: string; readonly link: string | null }): string {
  const styled = sgr === "" || text === "" ? text : `\u001b[${sgr}m${text}\u001b[0m`;
  if (link === null || !isLinkable(link)) return styled;
  return `\u001b]8;;${link}\u001b\\${styled}\u001b]8;;\u001b\\`;
}

/** URLs are printable ASCII (RFC 3986); any other character could end the sequence. */
function isLinkable(link: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[!-~]+$/i.test(link) && link.length <= 2048;
}

const control = /\p{Cc}/u;

function toSgr(looks: readonly Look[], colors: ColorDepth): string {
  const look = looks.reduce<Look>((under, over) => ({ ...under, ...over }), {});
  const background = look.background;
  // Sixteen colours hold no quiet background, and NO_COLOR none at all: what it marks is inverted.
  const isInverse =
    look.isInverse === true ||
    (background !== undefined && "rgb" in background && (colors === "16" || colors === "none"));
  const color = colors === "16" ? (look.color16 ?? look.color) : look.color;
  return [
    look.isBold === true ? "1" : "",
    look.isDim === true ? "2" : "",
    look.isItalic === true ? "3" : "",
    look.isUnderlined === true ? "4" : "",
    isInverse ? "7" : "",
    look.isStruck === true ? "9" : "",
    color === undefined ? "" : toColorParameters(color, colors, "text"),
    background === undefined || isInverse ? "" : toColorParameters(background, colors, "background"),
  ]
    .filter((parameter) => parameter !== "")
    .join(";");
}
