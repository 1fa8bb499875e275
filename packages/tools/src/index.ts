export { createApplyPatchTool } from "./builtin/apply-patch.ts";
export { createBuiltinTools } from "./builtin/create-builtin-tools.ts";
export { createShellCommandTool } from "./builtin/shell-command.ts";
export { createShellTool } from "./builtin/shell.ts";
export { createUpdatePlanTool } from "./builtin/update-plan.ts";
export { createViewImageTool } from "./builtin/view-image.ts";
export { createWebSearchTool } from "./builtin/web-search.ts";
export { createToolRegistry } from "./registry/create-tool-registry.ts";
export { createToolRuntime } from "./runtime/create-tool-runtime.ts";
export { defineCustomTool } from "./tool/define-custom-tool.ts";
export { defineTool } from "./tool/define-tool.ts";

export type { ApplyPatchOptions } from "./builtin/apply-patch.ts";
export type { BuiltinToolOptions } from "./builtin/create-builtin-tools.ts";
export type { ViewImageOptions } from "./builtin/view-image.ts";
export type { CommandToolOptions } from "./command/command-tool.ts";
export type { CommandPorts } from "./command/run-command.ts";
export type { PatchPorts } from "./patch/run-patch.ts";
export type { Clock } from "./port/clock.ts";
export type { CommandGate, CommandLine, CommandRequest, CommandVerdict } from "./port/command-gate.ts";
export type { CommandRunner } from "./port/command-runner.ts";
export type { ImageReader } from "./port/image-reader.ts";
export type { PatchGate, PatchRequest, PatchVerdict } from "./port/patch-gate.ts";
export type { UserShell } from "./port/user-shell.ts";
export type { ToolRegistry } from "./registry/create-tool-registry.ts";
export type { ToolRunContext, ToolRuntime, ToolRuntimeOptions } from "./runtime/create-tool-runtime.ts";
export type { CustomToolDefinition } from "./tool/define-custom-tool.ts";
export type { ToolDefinition } from "./tool/define-tool.ts";
export type {
  CallableTool,
  Concurrency,
  HostedTool,
  PreparedCall,
  Tool,
  ToolContext,
  ToolResult,
} from "./tool/tool.ts";
