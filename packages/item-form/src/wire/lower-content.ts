import type { ContentPart } from "@unroll/protocol";

const noImage = "[An image was here. Images are not sent to this server.]";
const imageBehind = "[An image: it is in the message after the tool outputs.]";

/** The parts of a message or of an output with a line of text for each image. */
export function describeImages(content: readonly ContentPart[]): readonly ContentPart[] {
  return content.map((part) => (part.type === "input_image" ? { type: "input_text", text: noImage } : part));
}

export function hasImages(content: string | readonly ContentPart[]): boolean {
  return typeof content !== "string" && content.some(({ type }) => type === "input_image");
}

/** An output as text, and its images: servers that know functions alone take no others. */
export function splitOutput(output: string | readonly ContentPart[]): {
  readonly text: string;
  readonly images: readonly ContentPart[];
} {
  if (typeof output === "string") return { text: output, images: [] };
  return {
    text: output.map((part) => (part.type === "input_image" ? imageBehind : readText(part))).join("\n"),
    images: output.filter(({ type }) => type === "input_image"),
  };
}

/** The text of a part; of an image, that it was one. */
export function readText(part: ContentPart): string {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return part.text;
    case "refusal":
      return part.refusal;
    case "input_image":
      return noImage;
  }
}
