export { agentToolNames } from "./tool/agent-tool-names.ts";
export { createAgentTools } from "./agent/create-agent-tools.ts";
export { capText } from "./output/cap-text.ts";
export { createApplyPatchTool } from "./builtin/apply-patch.ts";
export { builtinToolNames, createBuiltinTools } from "./builtin/create-builtin-tools.ts";
export { createRequestUserInputTool } from "./builtin/request-user-input.ts";
export { createShellCommandTool } from "./builtin/shell-command.ts";
export { createShellTool } from "./builtin/shell.ts";
export { createUpdatePlanTool } from "./builtin/update-plan.ts";
export { createViewImageTool } from "./builtin/view-image.ts";
export { maskNote, maskStrings } from "./mask/mask-events.ts";
export { maskRunner } from "./mask/mask-runner.ts";
export { createMcpGatewayTools } from "./mcp/mcp-gateway-tools.ts";
export { createMcpTools, createUnlistedMcpTools } from "./mcp/mcp-tools.ts";
export { renderMcpAnnouncements } from "./mcp/render-mcp-announcements.ts";
export { askPerson, takesQuestion } from "./person/ask-person.ts";
export { parseDecision, parseForm } from "./person/parse-replies.ts";
export { createToolRegistry } from "./runtime/create-tool-registry.ts";
export { createToolRuntime } from "./runtime/create-tool-runtime.ts";
export { checkValue } from "./schema/input-schema.ts";
export { toJsonSchema } from "./schema/to-json-schema.ts";
export { createBackgroundCommands } from "./session/background-commands.ts";
export { defineCustomTool } from "./tool/define-custom-tool.ts";
export { definePlannedTool } from "./tool/define-planned-tool.ts";
export { defineTool } from "./tool/define-tool.ts";

export type { AgentAnswer, AgentCall, AgentPort, AgentTask, AgentWait } from "./agent/agent-port.ts";
export type { AgentToolStyle } from "./tool/agent-tool-names.ts";
export type { BuiltinToolName, BuiltinToolOptions } from "./builtin/create-builtin-tools.ts";
export type { McpClient } from "./mcp/mcp-client.ts";
export type {
  Approval,
  CallGate,
  CallVerdict,
  CommandLine,
  CommandRequest,
  GateContext,
  GatedCall,
  GatedCommand,
  GatedHost,
  GatedMcpCall,
  GatedPatch,
  GatedTool,
  RunVerdict,
} from "./port/call-gate.ts";
export type { AfterCall, AfterCallContext, FinishedToolCall, ReplacedResult } from "./port/after-call.ts";
export type { BackgroundCommandRunner, CommandRunner, UserShell } from "./port/command-runner.ts";
export type { ImageReader } from "./builtin/view-image.ts";
export type { OutputFile, OutputFiles } from "./port/output-files.ts";
export type { PathAccess } from "./port/path-access.ts";
export type { UnlistedTools } from "./tool/unlisted-tools.ts";
export type { InputSchema, SchemaIssue, SchemaResult } from "./schema/input-schema.ts";
export type {
  BackgroundCommands,
  BackgroundCommandInfo,
  BackgroundCommandList,
} from "./session/background-commands.ts";
export type { CustomToolDefinition } from "./tool/define-custom-tool.ts";
export type { PlannedToolDefinition } from "./tool/define-planned-tool.ts";
export type { ToolDefinition } from "./tool/define-tool.ts";
export type {
  CallableTool,
  CallContext,
  CallEnd,
  Concurrency,
  HostedTool,
  JsonAnswer,
  PlanContext,
  PlannedCall,
  PreparedCall,
  ReadyCall,
  RejectedCall,
  Tool,
  ToolAnswer,
  ToolContext,
  ToolResult,
} from "./tool/tool.ts";
