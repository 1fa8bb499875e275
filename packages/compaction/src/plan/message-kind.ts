import type { MessageItem } from "@unroll/protocol";

/**
 * What a message of the harness is. Of `permissions`, `environment`, `instructions` (what people wrote for agents) and
 * `skill_list` the latest counts; `skill`: what a message before it mentioned; `passing`: of no use when the work has gone on.
 * `other`: none of these.
 */
export type MessageKind = "permissions" | "environment" | "instructions" | "skill_list" | "skill" | "passing" | "other";

/** Whoever writes the messages knows them: the prompt package's `identifyMessage`. */
export type IdentifyMessage = (message: MessageItem) => MessageKind;
