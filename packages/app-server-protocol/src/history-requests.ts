import * as z from "zod";
import { thread, turn } from "./thread.ts";
import { threadItem } from "./thread-item.ts";

const ofThread = { threadId: z.string().min(1) };
const sortDirection = z.enum(["asc", "desc"]).nullish();
const limit = z.int().min(1).nullish();
/** `backwardsCursor` begins a page in the other direction with the first entry of this one. */
const cursors = { nextCursor: z.string().nullable(), backwardsCursor: z.string().nullable() };

/** Requests for the past of a thread, by method. */
export const historyRequests = {
  "thread/turns/list": {
    params: z.object({
      ...ofThread,
      cursor: z.string().nullish(),
      limit,
      /** Absent: the newest turn first. */
      sortDirection,
      /** Absent: `summary`, the first message and the last answer. */
      itemsView: z.enum(["notLoaded", "summary", "full"]).nullish(),
    }),
    result: z.object({ data: z.array(turn), ...cursors }),
  },
  "thread/items/list": {
    params: z.object({
      ...ofThread,
      /** Absent: the items of all turns. */
      turnId: z.string().nullish(),
      /** An item of `turnId`: the page begins behind it. */
      cursor: z.union([z.string(), z.object({ type: z.literal("item"), itemId: z.string() })]).nullish(),
      limit,
      /** Absent: the oldest item first. */
      sortDirection,
    }),
    result: z.object({
      data: z.array(z.object({ turnId: z.string(), item: threadItem, startedAtMs: z.null(), completedAtMs: z.null() })),
      ...cursors,
    }),
  },
  "thread/revert": {
    params: z.object({ ...ofThread, beforeTurnId: z.string().min(1) }),
    /** The cursors begin pages with the last turn and the last item that are left. */
    result: z.object({
      thread,
      turnsBackwardsCursor: z.string().nullable(),
      itemsBackwardsCursor: z.string().nullable(),
    }),
  },
  "thread/inject_items": {
    params: z.object({
      ...ofThread,
      /** Messages of the user: other items of the Responses API are refused. */
      items: z
        .array(
          z.object({
            type: z.literal("message"),
            role: z.literal("user"),
            content: z
              .array(
                z.discriminatedUnion("type", [
                  z.object({ type: z.literal("input_text"), text: z.string() }),
                  /** A `data:` URL. */
                  z.object({ type: z.literal("input_image"), image_url: z.string() }),
                ]),
              )
              .min(1),
          }),
        )
        .min(1),
    }),
    result: z.object({}),
  },
} as const;
