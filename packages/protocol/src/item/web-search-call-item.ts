import * as z from "zod";

/** A search that the provider ran itself; `action` says what (search, open a page, find in a page). */
export interface WebSearchCallItem {
  readonly type: "web_search_call";
  readonly status?: string;
  readonly action?: { readonly type: string; readonly query?: string | undefined };
  readonly id?: string;
}

export const webSearchCallItemSchema: z.ZodType<WebSearchCallItem> = z.looseObject({
  type: z.literal("web_search_call"),
  status: z.string().exactOptional(),
  action: z.looseObject({ type: z.string(), query: z.string().optional() }).exactOptional(),
  id: z.string().exactOptional(),
});
