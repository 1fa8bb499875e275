import * as z from "zod";

/** The model's reasoning. With `store: false` the server needs `encrypted_content` back, byte for byte. */
export interface ReasoningItem {
  readonly type: "reasoning";
  readonly summary: readonly { readonly type: "summary_text"; readonly text: string }[];
  readonly content?: readonly { readonly type: "reasoning_text"; readonly text: string }[] | null;
  readonly encrypted_content?: string | null;
  readonly id?: string;
}

export const reasoningItemSchema: z.ZodType<ReasoningItem> = z.looseObject({
  type: z.literal("reasoning"),
  summary: z.array(z.looseObject({ type: z.literal("summary_text"), text: z.string() })),
  content: z
    .array(z.looseObject({ type: z.literal("reasoning_text"), text: z.string() }))
    .nullable()
    .exactOptional(),
  encrypted_content: z.string().nullable().exactOptional(),
  id: z.string().exactOptional(),
});
