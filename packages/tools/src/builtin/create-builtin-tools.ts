import type { ModelFamily, WebSearchMode } from "@unroll/protocol";
import type { CommandToolOptions } from "../command/command-tool.ts";
import type { UserShell } from "../port/user-shell.ts";
import type { Tool } from "../tool/tool.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createShellCommandTool } from "./shell-command.ts";
import { createShellTool } from "./shell.ts";
import { createUpdatePlanTool } from "./update-plan.ts";
import { createViewImageTool, type ViewImageOptions } from "./view-image.ts";
import { createWebSearchTool } from "./web-search.ts";

/** The ports of all built-in tools, and which of their forms a thread gets. */
export interface BuiltinToolOptions extends CommandToolOptions, ViewImageOptions {
  readonly shell: UserShell;
  /** A family made for `exec_command` gets `shell_command`. */
  readonly family: Pick<ModelFamily, "shellTool" | "applyPatchTool">;
  readonly webSearch: WebSearchMode;
}

/** The built-in tools of one thread, in the order in which the model sees them. */
export function createBuiltinTools(options: BuiltinToolOptions): readonly Tool[] {
  const { family, webSearch } = options;
  return [
    family.shellTool === "shell" ? createShellTool(options) : createShellCommandTool(options),
    createApplyPatchTool(options, family.applyPatchTool),
    createUpdatePlanTool(),
    createViewImageTool(options),
    ...(webSearch === "disabled" ? [] : [createWebSearchTool(webSearch)]),
  ];
}
