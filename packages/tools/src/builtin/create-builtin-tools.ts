import { checkShape } from "@unroll/text";
import type { ModelFamily, Person, ThreadNotes, WebSearchMode } from "@unroll/protocol";
import type { CommandToolOptions } from "../command/run-command.ts";
import { takesQuestion } from "../person/ask-person.ts";
import type { UserShell } from "../port/command-runner.ts";
import type { BackgroundCommands } from "../session/background-commands.ts";
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
  /** The commands that `exec_command` leaves running. The caller closes them. */
  readonly backgroundCommands: BackgroundCommands;
  readonly family: Pick<ModelFamily, "shellTool" | "applyPatchTool">;
  readonly webSearch: WebSearchMode;
  /** Whether the model can be shown an image. */
  readonly seesImages: boolean;
  readonly threadId: string;
  /** Keeps the plan. */
  readonly notes: ThreadNotes;
  /** Null, or one who does not take the model's questions: the model has no tool for them. */
  readonly person: Person | null;
  /**
   * Only these of them; a command tool that the family would not get is given for it. `exec_command` brings `write_stdin`, which
   * comes with it alone. Absent: all.
   */
  readonly only?: readonly BuiltinToolName[];
}

/** The model's names for them. */
export type BuiltinToolName = (typeof builtinToolNames)[number];

/** All of them, whatever a thread gets. */
export const builtinToolNames = [
  "shell_command",
  "shell",
  "exec_command",
  "write_stdin",
  "apply_patch",
  "update_plan",
  "view_image",
  "request_user_input",
  "web_search",
] as const;

const shape = {
  "shell.toArgv": "a function",
  "family.shellTool": "text",
  "family.applyPatchTool": "text",
  "runner.run": "a function",
  "backgroundCommands.start": "a function",
  "backgroundCommands.find": "a function",
  "notes.set": "a function",
  webSearch: "text",
  threadId: "text",
  cwd: "text",
} as const;

/** The built-in tools of one thread, in the order in which the model sees them. */
export function createBuiltinTools(options: BuiltinToolOptions): readonly Tool[] {
  checkShape("createBuiltinTools", options, shape);
  const { family, webSearch, threadId, notes, person, only } = options;
  const tools = [
    ...createCommandTools(options, chooseShell(options)),
    createApplyPatchTool(options, family.applyPatchTool),
    createUpdatePlanTool(notes),
    ...(options.seesImages ? [createViewImageTool(options)] : []),
    ...(takesQuestion(person, "model.questions") ? [createRequestUserInputTool({ threadId, person })] : []),
    ...(webSearch === "disabled" ? [] : [createWebSearchTool(webSearch)]),
  ];
  if (only === undefined) return tools;
  // what `exec_command` leaves running is read on by `write_stdin`: neither is of use without the other
  return tools.filter(({ name }) => only.some((each) => each === (name === "write_stdin" ? "exec_command" : name)));
}

type ShellTool = ModelFamily["shellTool"];
const shellTools: readonly ShellTool[] = ["exec_command", "shell_command", "shell"];

function chooseShell({ family, only = [] }: BuiltinToolOptions): ShellTool {
  if (only.includes(family.shellTool)) return family.shellTool;
  return shellTools.find((name) => only.includes(name)) ?? family.shellTool;
}

function createCommandTools(options: BuiltinToolOptions, shell: ShellTool): readonly Tool[] {
  switch (shell) {
    case "exec_command":
      return [createExecCommandTool(options), createWriteStdinTool(options)];
    case "shell_command":
      return [createShellCommandTool(options)];
    case "shell":
      return [createShellTool(options)];
  }
}
