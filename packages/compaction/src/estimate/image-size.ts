import { imageSize } from "image-size";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** In base64 characters: the size of a JPEG stands behind its metadata, which are rarely longer. */
const headLength = 4 * 48 * 1024;

/** The size in pixels that the head of a PNG, GIF, JPEG or WebP says; null for a link, or what is no image. */
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
