export { createThreadItemSchema, isThreadItem } from "./event/thread-item-schema.ts";
export { addTokenUsage, noTokenUsage } from "./event/token-usage.ts";
export { exactly } from "./exactly.ts";
export { isFields, type JsonFields, parseFields, toFields } from "./json-fields.ts";
export { isKnownItem, knownItemSchema } from "./item/known-item-schema.ts";
export { readAuthor, readUserInput, withAuthor } from "./thread/item-author.ts";
export { callFault, type ItemAuthor, itemAuthor, onlyWaited } from "./item/response-item.ts";
export { isToolCall, isToolOutput, toToolOutput } from "./item/tool-call.ts";
export { toValidArguments } from "./item/valid-arguments.ts";
export { refusalOf } from "./person/refusal-of.ts";

export type { BudgetLimits, BudgetStatus } from "./budget/budget-limits.ts";
export type { RepeatLimits } from "./budget/repeat-limits.ts";
export type { CapturedOutput, CommandDenial, CommandOutcome } from "./command/command-outcome.ts";
export type {
  BackgroundCommand,
  BackgroundCommandSpec,
  BackgroundCommandStart,
  TerminalSize,
} from "./command/background-command.ts";
export type { CommandOutput, CommandSpec } from "./command/command-spec.ts";
export type { McpServerState, McpServerUpdatedEvent, McpToolAdaptedEvent } from "./event/mcp-event.ts";
export type {
  BudgetUpdatedEvent,
  CompactionCompletedEvent,
  CompactionMethod,
  CompactionStartedEvent,
  ContextWindowUpdatedEvent,
  EpochOpenedEvent,
  ItemDeltaEvent,
  NumberedEvent,
  QuestionAnsweredEvent,
  QuestionAskedEvent,
  RequestCompletedEvent,
  RequestStartedEvent,
  InputReceivedEvent,
  StreamRetryingEvent,
  ThreadEvent,
  TurnError,
  TurnStartedEvent,
  TurnTerminalEvent,
} from "./event/thread-event.ts";
export type {
  AgentMessageThreadItem,
  CallThreadItem,
  CommandExecutionThreadItem,
  FileChangeThreadItem,
  ImageViewThreadItem,
  ItemStatus,
  McpToolCallThreadItem,
  ThreadItem,
  TodoListThreadItem,
  ToolCallThreadItem,
} from "./event/thread-item.ts";
export type { CacheMiss, FirstDifference, CacheBreak, RequestCache } from "./event/request-cache.ts";
export type { TokenUsage } from "./event/token-usage.ts";
export { toTerminalEvent, type TurnOutcome } from "./event/turn-outcome.ts";
export type { UserInput, UserInputPart } from "./event/user-input.ts";
export type { FileChange } from "./file-change.ts";
export type { ContentPart } from "./item/content-part.ts";
export type { ItemForm, ItemMaker } from "./item/item-form.ts";
export type {
  CustomToolCallItem,
  FunctionCallItem,
  KnownItem,
  MessageItem,
  ReasoningItem,
  ResponseItem,
  ToolCallItem,
  ToolOutputItem,
  UnknownItem,
  WebSearchCallItem,
} from "./item/response-item.ts";
export type {
  McpCall,
  McpCallOutcome,
  McpCallResult,
  McpContent,
  McpFailure,
  McpFailureCode,
  McpProgress,
  McpResourceContents,
  McpResourceLink,
} from "./mcp/mcp-call.ts";
export type {
  McpHttpServerConfig,
  McpOAuthSettings,
  McpApprovalMode,
  McpServerCommon,
  McpServerConfig,
  McpStdioServerConfig,
  SecretText,
} from "./mcp/mcp-server-config.ts";
export type { McpResourceList, McpResourceOutcome, McpResourceQuery } from "./mcp/mcp-resource.ts";
export type { McpServerStatus } from "./mcp/mcp-server-status.ts";
export type { KnownMcpTool, McpAnnouncement, McpTool } from "./mcp/mcp-tool.ts";
export type { ModelPrice, TokenRates } from "./model/model-price.ts";
export type {
  ModelFamily,
  ReasoningContext,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
  WebSearchMode,
  WindowOrigin,
} from "./model/model-settings.ts";
export type { RequestForm, ServerFeature, ServerFeatures } from "./model/server-features.ts";
export { type ThreadHeaders, threadHeaderStyles } from "./model/thread-headers.ts";
export type { Answer, ApprovalDecision, ChoiceAnswer, FormAnswer } from "./person/answer.ts";
export type { Person } from "./person/person.ts";
export type {
  ApprovalQuestion,
  CommandQuestion,
  FormField,
  FormInput,
  FormQuestion,
  FormValue,
  ModelQuestion,
  ModelQuestionOption,
  ModelQuestions,
  PatchQuestion,
  PrefixQuestion,
  Question,
  ToolQuestion,
} from "./person/question.ts";
export { type ApprovalPolicy, approvalPolicies } from "./policy/approval-policy.ts";
export { type PermissionPreset, permissionPresets } from "./policy/permission-presets.ts";
export type {
  ConfinedPolicy,
  FileIdentity,
  NetworkAccess,
  ReadOnlyPath,
  SandboxPolicy,
  WorkspaceWritePolicy,
  WritableRoot,
} from "./policy/sandbox-policy.ts";
export {
  type CommandLimits,
  type GitAccess,
  type SandboxMode,
  sandboxModes,
  type SandboxSettings,
} from "./policy/sandbox-settings.ts";
export type { ShellEnvironmentPolicy } from "./policy/shell-environment-policy.ts";
export type { EncodedRequest, RequestBody, RequestData } from "./request/encoded-request.ts";
export type { CustomToolSpec, FunctionToolSpec, JsonSchema, ToolSpec, WebSearchToolSpec } from "./request/tool-spec.ts";
export { listStoredTurns } from "./thread/list-stored-turns.ts";
export { replayThread } from "./thread/replay-thread.ts";
export { listLiveItems } from "./thread/list-live-items.ts";
export {
  encodeJournalEntry,
  encodeSentItem,
  parseEntryData,
  parseJournalEntry,
  parseSentItem,
} from "./thread/parse-journal-entry.ts";
export { parseRequestHead, toRequestHead } from "./request/parse-request-head.ts";
export type { CompletedRequest } from "./thread/completed-request.ts";
export type { Journal, JournalEntry, StoredEvent, LoweredItem, RecordedSettings, SentItem } from "./thread/journal.ts";
export type { HeadTool, RequestHead } from "./request/parse-request-head.ts";
export type { StoredItem } from "./thread/parse-journal-entry.ts";
export type { CollectedThread, CollectQuery, TendedThread, ThreadUpkeep } from "./thread/thread-upkeep.ts";
export type { ThreadNotes, ThreadNoteValues, ThreadPlan, ThreadUsage, SentContext } from "./thread/thread-notes.ts";
export type {
  ResumedThread,
  StoredJournal,
  StoredThread,
  ThreadMeta,
  ThreadQuery,
  ThreadStore,
} from "./thread/thread-store.ts";
export type { ThreadSummary } from "./thread/thread-summary.ts";
export type { ModelError } from "./stream/model-error.ts";
export type { Refusal, RefusedContent, RoleRule } from "./stream/refusal.ts";
export type {
  OutputItemAddedEvent,
  ResponseDeltaEvent,
  ResponseEvent,
  ResponseTerminalEvent,
} from "./stream/response-event.ts";
export type { ResponseUsage } from "./stream/response-usage.ts";
export type {
  CompactionOutcome,
  CountedResponse,
  ModelStreamEvent,
  StreamOutcome,
  StreamRetry,
  StreamWarning,
} from "./stream/stream-outcome.ts";
