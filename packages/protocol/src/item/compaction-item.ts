import * as z from "zod";

/** A conversation that the server shortened; only it can read `encrypted_content`. */
export interface CompactionItem {
  readonly type: "compaction";
  readonly encrypted_content: string;
  readonly id?: string;
}

export const compactionItemSchema: z.ZodType<CompactionItem> = z.looseObject({
  type: z.literal("compaction"),
  encrypted_content: z.string(),
  id: z.string().exactOptional(),
});
