export { explainWrongLogin } from "./auth/describe-remedy.ts";
export { openLogin } from "./auth/open-login.ts";
export { previewStoredCompaction } from "./compaction/preview-stored-compaction.ts";
export { createBudget } from "./guard/budget.ts";
export { openHarness, openThread } from "./harness/open-harness.ts";
export { HarnessError } from "./harness-error.ts";
export { createClock } from "./host/create-clock.ts";
export { logInToMcp, logOutOfMcp, openMcp } from "./mcp/open-mcp.ts";
export { describeChatServer } from "./model/explain-missing-path.ts";
export { findModelChoice } from "./model/find-model-choice.ts";
export { findProviderApi, reachProvider } from "./model/reach-provider.ts";
export { checkProvider, findLocalServers } from "./provider/check-provider.ts";
export { readContextWindow } from "./window/read-context-window.ts";
export { openLocalServer } from "./provider/local-server.ts";
export { explainRefusedPath, openNameGate, openPromptFiles } from "./sandbox/open-prompt-files.ts";
export { openSandbox } from "./sandbox/open-sandbox.ts";
export { findUserShell } from "./host/find-user-shell.ts";
export { parseOutputSchema } from "./schema/parse-output-schema.ts";
export { readImageFile } from "./tool/read-image-file.ts";

export type { CompactionPreview } from "./compaction/preview-compaction.ts";
export type { Budget, BudgetOptions, RequestCost } from "./guard/budget.ts";
export type { Harness, HarnessOptions } from "./harness/harness.ts";
export type { OpenThreadOptions } from "./harness/open-harness.ts";
export type { HarnessErrorCode } from "./harness-error.ts";
export type { Host } from "./host/host.ts";
export type { Executor } from "./host/executor.ts";
export type { FoundServer } from "./provider/look-for-servers.ts";
export type { ProviderHealth } from "./provider/provider-health.ts";
export type { Sandbox } from "./sandbox/create-sandbox.ts";
export type { ForkOptions, OpenedModel, ThreadOptions } from "./thread/thread-options.ts";
export type { ThreadRunner } from "./sub-agent/thread-bounds.ts";
export type { Thread } from "./thread/thread.ts";
export type { EventsOptions } from "./base/thread-feed.ts";
export type { OutputOptions, RunOptions } from "./turn/create-run.ts";
export type { AgentRoleOptions } from "./agents/agent-roles.ts";
export type { AgentResult, Spawn, SpawnedAgent, SpawnOptions, SpawnOutputOptions } from "./agents/spawn.ts";
export type { ThreadChangeOptions } from "./settings/settle-change.ts";
export type { ConfigKeys, ConfigSettings } from "./settings/settle-config.ts";
export type { AnyPerson, ApprovalReply, Approver } from "./to-person.ts";
export type { ThreadTurn, TurnResult } from "./turn/turn.ts";

// Types that the options and events above name, so that one import is enough.
export { agentToolNames, defineTool } from "@unroll/tools/define";

export type { ResolvedConfig, ThreadChange } from "@unroll/config";
export type { ModelClient, StepGuard } from "@unroll/core";
export type {
  Answer,
  ApprovalDecision,
  ApprovalPolicy,
  ApprovalQuestion,
  JsonSchema,
  Journal,
  JournalEntry,
  McpServerStatus,
  NumberedEvent,
  Person,
  Question,
  SandboxMode,
  ThreadEvent,
  ThreadItem,
  ThreadStore,
  TokenUsage,
  TurnError,
  TurnOutcome,
  UserInput,
} from "@unroll/protocol";
export type {
  Approval,
  BuiltinToolName,
  CallGate,
  InputSchema,
  Tool,
  ToolAnswer,
  ToolContext,
  ToolDefinition,
} from "@unroll/tools";
