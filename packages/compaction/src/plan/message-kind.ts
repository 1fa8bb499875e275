import type { MessageItem } from "@unroll/protocol";

/**
 * What a message of the harness is. `permissions`, `environment`: the latest of each counts; `instructions`: what people wrote
 * for agents; `skill`: what a message before it mentioned; `interruption`: that a turn was stopped. `other`: none of these.
 */
export type MessageKind = "permissions" | "environment" | "instructions" | "skill" | "interruption" | "other";

/** Whoever writes the messages knows them: the prompt package's `identifyMessage`. */
export type IdentifyMessage = (message: MessageItem) => MessageKind;
