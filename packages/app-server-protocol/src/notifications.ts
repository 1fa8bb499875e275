import * as z from "zod";
import { rateLimits } from "./rate-limits.ts";
import { thread, threadSettings, threadStatus, turn, turnError } from "./thread.ts";
import { threadItem } from "./thread-item.ts";

const ofThread = { threadId: z.string() };
const ofTurn = { ...ofThread, turnId: z.string() };
const ofItem = { ...ofTurn, itemId: z.string() };
const tokens = z.object({
  totalTokens: z.number(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  cacheWriteInputTokens: z.number(),
  outputTokens: z.number(),
  reasoningOutputTokens: z.number(),
});

/** Notifications for the clients of a thread, by method. */
export const notifications = {
  "thread/started": z.object({ thread }),
  "thread/status/changed": z.object({ ...ofThread, status: threadStatus }),
  "thread/settings/updated": z.object({ ...ofThread, threadSettings }),
  "thread/name/updated": z.object({ ...ofThread, threadName: z.string() }),
  "thread/archived": z.object(ofThread),
  "thread/unarchived": z.object(ofThread),
  "thread/deleted": z.object(ofThread),
  "thread/reverted": z.object(ofThread),
  "thread/closed": z.object(ofThread),
  "thread/tokenUsage/updated": z.object({
    ...ofTurn,
    tokenUsage: z.object({
      total: tokens,
      last: tokens,
      modelContextWindow: z.number().nullable(),
      /** Ours, of a sub-agent: its cost so far; null: its model's price is not known. */
      costUsd: z.number().nullable().optional(),
    }),
  }),
  "turn/started": z.object({ ...ofThread, turn }),
  "turn/completed": z.object({ ...ofThread, turn }),
  "turn/plan/updated": z.object({
    ...ofTurn,
    explanation: z.null(),
    plan: z.array(z.object({ step: z.string(), status: z.enum(["pending", "completed"]) })),
  }),
  "turn/diff/updated": z.object({ ...ofTurn, diff: z.string() }),
  "item/started": z.object({ ...ofTurn, item: threadItem, startedAtMs: z.number() }),
  "item/completed": z.object({ ...ofTurn, item: threadItem, completedAtMs: z.number() }),
  "item/agentMessage/delta": z.object({ ...ofItem, delta: z.string() }),
  "item/reasoning/summaryTextDelta": z.object({ ...ofItem, delta: z.string(), summaryIndex: z.number() }),
  "item/commandExecution/outputDelta": z.object({ ...ofItem, delta: z.string() }),
  "item/mcpToolCall/progress": z.object({ ...ofItem, message: z.string() }),
  "mcpServer/startupStatus/updated": z.object({
    threadId: z.string(),
    name: z.string(),
    status: z.enum(["starting", "ready", "failed"]),
    error: z.string().nullable(),
  }),
  "mcpServer/oauthLogin/completed": z.object({
    name: z.string(),
    success: z.boolean(),
    error: z.string().nullable(),
  }),
  "account/login/completed": z.object({
    loginId: z.string().nullable(),
    success: z.boolean(),
    error: z.string().nullable(),
  }),
  "account/updated": z.object({ authMode: z.enum(["apikey", "chatgpt"]).nullable() }),
  "account/rateLimits/updated": z.object({ rateLimits }),
  "serverRequest/resolved": z.object({ ...ofThread, requestId: z.number() }),
  warning: z.object({ threadId: z.string().nullable(), message: z.string() }),
  error: z.object({ ...ofTurn, error: turnError, willRetry: z.boolean() }),
} as const;

type NotificationMethod = keyof typeof notifications;
/** One of them, with its method. */
export type ServerNotification = {
  readonly [Method in NotificationMethod]: {
    readonly method: Method;
    readonly params: z.infer<(typeof notifications)[Method]>;
  };
}[NotificationMethod];
