export { noTokenUsage } from "./event/token-usage.ts";
export { compactionItemSchema } from "./item/compaction-item.ts";
export { contentPartSchema } from "./item/content-part.ts";
export { customToolCallItemSchema, customToolCallOutputItemSchema } from "./item/custom-tool-call-item.ts";
export { functionCallItemSchema, functionCallOutputItemSchema } from "./item/function-call-item.ts";
export { messageItemSchema } from "./item/message-item.ts";
export { reasoningItemSchema } from "./item/reasoning-item.ts";
export { knownItemSchema } from "./item/response-item.ts";
export { webSearchCallItemSchema } from "./item/web-search-call-item.ts";

export type {
  ApprovalDecision,
  ApprovalRequest,
  CommandApprovalRequest,
  PatchApprovalRequest,
} from "./approval/approval.ts";
export type { CapturedOutput, CommandDenial, CommandOutcome } from "./command/command-outcome.ts";
export type { OpenSession, SessionSpec, SessionStart, TerminalSize } from "./command/command-session.ts";
export type { CommandOutput, CommandSpec } from "./command/command-spec.ts";
export type { McpServerState, McpServerUpdatedEvent, McpToolAdaptedEvent } from "./event/mcp-event.ts";
export type {
  ItemDeltaEvent,
  RequestCompletedEvent,
  StreamRetryingEvent,
  ThreadEvent,
  TurnError,
  TurnTerminalEvent,
} from "./event/thread-event.ts";
export type {
  AgentMessageThreadItem,
  CommandExecutionThreadItem,
  FileChangeThreadItem,
  ImageViewThreadItem,
  ItemStatus,
  McpToolCallThreadItem,
  ThreadItem,
  TodoListThreadItem,
} from "./event/thread-item.ts";
export type { TokenUsage } from "./event/token-usage.ts";
export type { TurnOutcome } from "./event/turn-outcome.ts";
export type { UserInput, UserInputPart } from "./event/user-input.ts";
export type { CompactionItem } from "./item/compaction-item.ts";
export type { ContentPart, InputImagePart, InputTextPart, OutputTextPart, RefusalPart } from "./item/content-part.ts";
export type { CustomToolCallItem, CustomToolCallOutputItem } from "./item/custom-tool-call-item.ts";
export type { FunctionCallItem, FunctionCallOutputItem } from "./item/function-call-item.ts";
export type { MessageItem } from "./item/message-item.ts";
export type { ReasoningItem } from "./item/reasoning-item.ts";
export type { KnownItem, ResponseItem, ToolCallItem, ToolOutputItem } from "./item/response-item.ts";
export type { UnknownItem } from "./item/unknown-item.ts";
export type { WebSearchCallItem } from "./item/web-search-call-item.ts";
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
export type { McpResourceList, McpResourceOutcome, McpResourceQuery } from "./mcp/mcp-resource.ts";
export type { McpAnnouncement, McpTool } from "./mcp/mcp-tool.ts";
export type {
  ModelFamily,
  ReasoningEffort,
  ReasoningSummary,
  Verbosity,
  WebSearchMode,
} from "./model/model-settings.ts";
export type { ApprovalPolicy } from "./policy/approval-policy.ts";
export type {
  ConfinedPolicy,
  FileIdentity,
  NetworkAccess,
  ReadOnlyPath,
  SandboxPolicy,
  WorkspaceWritePolicy,
  WritableRoot,
} from "./policy/sandbox-policy.ts";
export type { GitAccess, SandboxMode, SandboxSettings } from "./policy/sandbox-settings.ts";
export type { EncodedRequest } from "./request/encoded-request.ts";
export type { CustomToolSpec, FunctionToolSpec, JsonSchema, ToolSpec, WebSearchToolSpec } from "./request/tool-spec.ts";
export type { ModelError } from "./stream/model-error.ts";
export type {
  OutputItemAddedEvent,
  ResponseDeltaEvent,
  ResponseEvent,
  ResponseTerminalEvent,
} from "./stream/response-event.ts";
export type { ResponseUsage } from "./stream/response-usage.ts";
export type { ModelStreamEvent, StreamOutcome, StreamRetry } from "./stream/stream-outcome.ts";
