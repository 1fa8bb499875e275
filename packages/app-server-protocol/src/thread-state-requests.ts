import * as z from "zod";
import { askedPolicy, collaborationMode, profileId, sandboxPolicy, thread } from "./thread.ts";

const ofThread = { threadId: z.string().min(1) };
const nothing = z.object({});

/** Settings that hold from the next turn on; also those of `turn/start`. */
export const turnSettings = {
  cwd: z.string().min(1).nullish(),
  approvalPolicy: askedPolicy,
  sandboxPolicy: sandboxPolicy.nullish(),
  permissions: profileId,
  model: z.string().nullish(),
  effort: z.string().nullish(),
  summary: z.enum(["auto", "concise", "detailed", "none"]).nullish(),
  /** Turns plan mode on or off; its model and effort win over the others. */
  collaborationMode: collaborationMode.nullish(),
};

/** Requests for the state of an open thread, by method. */
export const threadStateRequests = {
  "thread/settings/update": { params: z.object({ ...ofThread, ...turnSettings }), result: nothing },
  "thread/metadata/update": {
    params: z.object({
      ...ofThread,
      /** Empty: no project, as every thread has none here. */
      projectId: z.literal("").nullish(),
    }),
    result: z.object({ thread }),
  },
  /** Outside the sandbox: the client's user runs it. */
  "thread/shellCommand": {
    params: z.object({
      ...ofThread,
      command: z.string().refine((command) => command.trim() !== "", { error: "it must not be empty" }),
      /** Absent: one hour. */
      timeoutMs: z.int().min(0).nullish(),
    }),
    result: nothing,
  },
  "thread/goal/get": { params: z.object(ofThread), result: z.object({ goal: z.null() }) },
  "thread/goal/clear": { params: z.object(ofThread), result: z.object({ cleared: z.literal(false) }) },
  "thread/backgroundTerminals/list": {
    params: z.object({ ...ofThread, cursor: z.string().nullish(), limit: z.int().min(1).nullish() }),
    result: z.object({
      data: z.array(
        z.object({
          itemId: z.string(),
          processId: z.string(),
          command: z.string(),
          cwd: z.string(),
          osPid: z.null(),
          cpuPercent: z.null(),
          rssKb: z.null(),
        }),
      ),
      nextCursor: z.string().nullable(),
    }),
  },
  "thread/backgroundTerminals/terminate": {
    params: z.object({ ...ofThread, processId: z.string() }),
    result: z.object({ terminated: z.boolean() }),
  },
  "thread/backgroundTerminals/clean": { params: z.object(ofThread), result: nothing },
} as const;
