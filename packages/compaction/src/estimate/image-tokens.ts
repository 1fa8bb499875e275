import type { ContentPart } from "@unroll/protocol";
import { type ImageSize, readImageSize } from "./image-size.ts";

type ImagePart = Extract<ContentPart, { readonly type: "input_image" }>;

const baseTokens = 70;
const tileTokens = 140;
const tileSide = 512;
const longestSide = 2048;
const shorterSide = 768;
/** For an image whose size cannot be read. */
const usualSize: ImageSize = { width: 1024, height: 1024 };

/** About what an image costs: tiles of 512 pixels, of what the model sees of it. How many bytes it has does not matter. */
export function estimateImageTokens({ image_url: url, detail }: ImagePart): number {
  if (detail === "low") return baseTokens;
  const { width, height } = toSeenSize(readImageSize(url) ?? usualSize);
  return baseTokens + tileTokens * Math.ceil(width / tileSide) * Math.ceil(height / tileSide);
}

/**
 * The size at which most models see an image, in pixels, not rounded: the provider scales it into 2048 x 2048 and its shorter side to 768
 * (OpenAI, Images and vision, "Calculating costs").
 */
export function toSeenSize({ width, height }: ImageSize): ImageSize {
  const whole = Math.min(1, longestSide / Math.max(width, height, 1));
  const factor = whole * Math.min(1, shorterSide / (whole * Math.max(Math.min(width, height), 1)));
  return { width: Math.max(1, width * factor), height: Math.max(1, height * factor) };
}
