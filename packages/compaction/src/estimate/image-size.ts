import { imageSize } from "image-size";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** In base64 characters: the size of a JPEG comes after its metadata, which are rarely longer. */
const headLength = 4 * 48 * 1024;

/**
 * An image's size in pixels, from the first bytes of a PNG, GIF, JPEG or WebP; null: a link, or not
 * an image.
 */
export function readImageSize(url: string): ImageSize | null {
  const [, base64 = ""] = /^data:[^,]*;base64,([A-Za-z0-9+/]*)/.exec(url.slice(0, headLength)) ?? [];
  const binary = atob(base64.slice(0, base64.length - (base64.length % 4)));
  try {
    const { width, height } = imageSize(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
    return { width, height };
  } catch {
    return null;
  }
}
