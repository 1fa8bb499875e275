export { agentProgressSchema, createThreadItemSchema, isThreadItem } from "./event/thread-item-schema.ts";
export { addTokenUsage, noTokenUsage, type TokenUsage } from "./event/token-usage.ts";
export { toTerminalEvent, type TurnOutcome } from "./event/turn-outcome.ts";
export { exactly } from "./exactly.ts";
export { type ContentPart, readTexts } from "./item/content-part.ts";
export { isKnownItem, knownItemSchema, knownItemTypes } from "./item/known-item-schema.ts";
export { callFault, itemAuthor, onlyWaited } from "./item/response-item.ts";
export { isToolCall, isToolOutput, toToolOutput } from "./item/tool-call.ts";
export { toValidArguments } from "./item/valid-arguments.ts";
export { isFields, type JsonFields, parseFields, toFields } from "./json-fields.ts";
export { type ThreadHeaders, threadHeaderStyles } from "./model/thread-headers.ts";
export { refusalOf } from "./person/refusal-of.ts";
export { approvalPolicies, type ApprovalPolicy } from "./policy/approval-policy.ts";
export { type PermissionPreset, permissionPresets } from "./policy/permission-presets.ts";
export { findRestraint, isRestrainingValue, isRestraint } from "./policy/restraints.ts";
export { hostPresets, sandboxModes } from "./policy/sandbox-settings.ts";
export { type HeadTool, parseRequestHead, type RequestHead, toRequestHead } from "./request/parse-request-head.ts";
export { isOverload, isUsedUp, type ModelError } from "./stream/model-error.ts";
export { readAuthor, readUserInput, withAuthor } from "./thread/item-author.ts";
export { listLiveItems } from "./thread/list-live-items.ts";
export { findLastOutcome } from "./thread/find-last-outcome.ts";
export { listStoredTurns } from "./thread/list-stored-turns.ts";
export {
  encodeJournalEntry,
  encodeSentItem,
  parseEntryData,
  parseJournalEntry,
  parseSentItem,
  type StoredItem,
} from "./thread/parse-journal-entry.ts";
export { replayThread } from "./thread/replay-thread.ts";
export { unrollVersion } from "./version.ts";

export type * from "./budget/budget-limits.ts";
export type * from "./budget/repeat-limits.ts";
export type * from "./command/background-command.ts";
export type * from "./command/command-outcome.ts";
export type * from "./command/command-spec.ts";
export type * from "./event/host-event.ts";
export type * from "./event/mcp-event.ts";
export type * from "./event/request-cache.ts";
export type * from "./event/thread-event.ts";
export type * from "./event/thread-item.ts";
export type * from "./event/user-input.ts";
export type * from "./file-change.ts";
export type * from "./item/item-form.ts";
export type * from "./item/response-item.ts";
export type * from "./mcp/mcp-call.ts";
export type * from "./mcp/mcp-resource.ts";
export type * from "./mcp/mcp-server-config.ts";
export type * from "./mcp/mcp-server-status.ts";
export type * from "./mcp/mcp-tool.ts";
export type * from "./model/model-price.ts";
export type * from "./model/model-settings.ts";
export type * from "./model/rate-limits.ts";
export type * from "./model/server-features.ts";
export type * from "./person/answer.ts";
export type * from "./person/person.ts";
export type * from "./person/question.ts";
export type * from "./policy/sandbox-policy.ts";
export type * from "./policy/sandbox-report.ts";
export type * from "./policy/sandbox-settings.ts";
export type * from "./policy/shell-environment-policy.ts";
export type * from "./request/encoded-request.ts";
export type * from "./request/tool-spec.ts";
export type * from "./stream/refusal.ts";
export type * from "./stream/response-event.ts";
export type * from "./stream/response-usage.ts";
export type * from "./stream/stream-outcome.ts";
export type * from "./thread/completed-request.ts";
export type * from "./thread/journal.ts";
export type * from "./thread/thread-notes.ts";
export type * from "./thread/thread-store.ts";
export type * from "./thread/thread-summary.ts";
export type * from "./thread/thread-upkeep.ts";
