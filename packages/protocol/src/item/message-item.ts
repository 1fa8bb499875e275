import * as z from "zod";
import { contentPartSchema, type ContentPart } from "./content-part.ts";

/** A message of any role. Fields beyond these that a server sends are kept and sent back. */
export interface MessageItem {
  readonly type: "message";
  readonly role: "user" | "assistant" | "developer" | "system";
  readonly content: readonly ContentPart[];
  readonly id?: string;
}

export const messageItemSchema: z.ZodType<MessageItem> = z.looseObject({
  type: z.literal("message"),
  role: z.enum(["user", "assistant", "developer", "system"]),
  content: z.array(contentPartSchema),
  id: z.string().exactOptional(),
});
