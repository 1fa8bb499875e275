/** One part of a message's or of an output's content. A message with any other part is kept as an `UnknownItem`. */
export type ContentPart =
  /** Text that the harness or the user wrote. */
  | { readonly type: "input_text"; readonly text: string }
  /** An image as a `data:` or `https:` URL. */
  | {
      readonly type: "input_image";
      readonly image_url: string;
      readonly detail?: "auto" | "low" | "high" | "original";
    }
  /** Text that the model wrote. */
  | { readonly type: "output_text"; readonly text: string }
  /** The model's refusal, in its own words. */
  | { readonly type: "refusal"; readonly refusal: string };

/** The text of each part: written or refused. Empty for an image. */
export function readTexts(parts: readonly ContentPart[]): readonly string[] {
  return parts.map((part) => (part.type === "refusal" ? part.refusal : "text" in part ? part.text : ""));
}
