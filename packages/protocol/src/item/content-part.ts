import * as z from "zod";

/** Text that the harness or the user wrote. */
export interface InputTextPart {
  readonly type: "input_text";
  readonly text: string;
}
/** An image as a `data:` or `https:` URL. */
export interface InputImagePart {
  readonly type: "input_image";
  readonly image_url: string;
  readonly detail?: "auto" | "low" | "high" | "original";
}
/** Text that the model wrote. */
export interface OutputTextPart {
  readonly type: "output_text";
  readonly text: string;
}
/** The model's refusal, in its own words. */
export interface RefusalPart {
  readonly type: "refusal";
  readonly refusal: string;
}
/** One part of a message's or of an output's content. A message with any other part is kept as an `UnknownItem`. */
export type ContentPart = InputTextPart | InputImagePart | OutputTextPart | RefusalPart;

export const contentPartSchema: z.ZodType<ContentPart> = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("input_text"), text: z.string() }),
  z.looseObject({
    type: z.literal("input_image"),
    image_url: z.string(),
    detail: z.enum(["auto", "low", "high", "original"]).exactOptional(),
  }),
  z.looseObject({ type: z.literal("output_text"), text: z.string() }),
  z.looseObject({ type: z.literal("refusal"), refusal: z.string() }),
]);
