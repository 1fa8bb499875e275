import type { ModelFamily, WebSearchMode } from "@unroll/protocol";
import type { CommandToolOptions } from "../command/command-tool.ts";
import type { UserPrompter } from "../port/user-prompter.ts";
import type { UserShell } from "../port/user-shell.ts";
import type { CommandSessions } from "../session/command-sessions.ts";
import type { Tool } from "../tool/tool.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createExecCommandTool } from "./exec-command.ts";
import { createRequestUserInputTool } from "./request-user-input.ts";
import { createShellCommandTool } from "./shell-command.ts";
import { createShellTool } from "./shell.ts";
import { createUpdatePlanTool } from "./update-plan.ts";
import { createViewImageTool, type ViewImageOptions } from "./view-image.ts";
import { createWebSearchTool } from "./web-search.ts";
import { createWriteStdinTool } from "./write-stdin.ts";

/** The ports of all built-in tools, and which of their forms a thread gets. */
export interface BuiltinToolOptions extends CommandToolOptions, ViewImageOptions {
  readonly shell: UserShell;
  /** Of the commands that `exec_command` leaves running. Whoever made it closes it. */
  readonly sessions: CommandSessions;
  readonly family: Pick<ModelFamily, "shellTool" | "applyPatchTool">;
  readonly webSearch: WebSearchMode;
  /** Absent: nobody can be asked, and the model has no tool for it. */
  readonly userInput?: UserPrompter;
}

/** The built-in tools of one thread, in the order in which the model sees them. */
export function createBuiltinTools(options: BuiltinToolOptions): readonly Tool[] {
  const { family, webSearch, userInput } = options;
  return [
    ...createCommandTools(options),
    createApplyPatchTool(options, family.applyPatchTool),
    createUpdatePlanTool(),
    createViewImageTool(options),
    ...(userInput ? [createRequestUserInputTool(userInput)] : []),
    ...(webSearch === "disabled" ? [] : [createWebSearchTool(webSearch)]),
  ];
}

function createCommandTools(options: BuiltinToolOptions): readonly Tool[] {
  switch (options.family.shellTool) {
    case "exec_command":
      return [createExecCommandTool(options), createWriteStdinTool(options)];
    case "shell_command":
      return [createShellCommandTool(options)];
    case "shell":
      return [createShellTool(options)];
  }
}
