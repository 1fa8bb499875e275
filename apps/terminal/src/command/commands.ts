import { accountCommand } from "./list/account.ts";
import { agentsCommand } from "./list/agents.ts";
import { approvalsCommand } from "./list/approvals.ts";
import { btwCommand } from "./list/btw.ts";
import { cacheCommand } from "./list/cache.ts";
import { compactCommand } from "./list/compact.ts";
import { configCommand } from "./list/config.ts";
import { contextCommand } from "./list/context.ts";
import { copyCommand } from "./list/copy.ts";
import { diffCommand } from "./list/diff.ts";
import { effortCommand } from "./list/effort.ts";
import { exportCommand } from "./list/export.ts";
import { forkCommand } from "./list/fork.ts";
import { helpCommand } from "./list/help.ts";
import { initCommand } from "./list/init.ts";
import { loginCommand } from "./list/login.ts";
import { logoutCommand } from "./list/logout.ts";
import { mcpCommand } from "./list/mcp.ts";
import { modeCommand } from "./list/mode.ts";
import { modelCommand } from "./list/model.ts";
import { newCommand } from "./list/new.ts";
import { permissionsCommand } from "./list/permissions.ts";
import { planCommand } from "./list/plan.ts";
import { psCommand } from "./list/ps.ts";
import { quitCommand } from "./list/quit.ts";
import { reasoningCommand } from "./list/reasoning.ts";
import { renameCommand } from "./list/rename.ts";
import { resumeCommand } from "./list/resume.ts";
import { reviewCommand } from "./list/review.ts";
import { rewindCommand } from "./list/rewind.ts";
import { sandboxCommand } from "./list/sandbox.ts";
import { skillsCommand } from "./list/skills.ts";
import { statusCommand } from "./list/status.ts";
import { themeCommand } from "./list/theme.ts";
import { transcriptCommand } from "./list/transcript.ts";
import { undoCompactCommand } from "./list/undo-compact.ts";
import { vimCommand } from "./list/vim.ts";
import type { TerminalCommand } from "./terminal-command.ts";

/** All that come with the program, in the order of the help. */
export const builtInCommands: readonly TerminalCommand[] = [
  helpCommand,
  modelCommand,
  effortCommand,
  approvalsCommand,
  sandboxCommand,
  permissionsCommand,
  modeCommand,
  statusCommand,
  contextCommand,
  cacheCommand,
  compactCommand,
  undoCompactCommand,
  newCommand,
  alias("clear", newCommand),
  resumeCommand,
  forkCommand,
  rewindCommand,
  btwCommand,
  alias("side", btwCommand),
  renameCommand,
  alias("name", renameCommand),
  planCommand,
  reviewCommand,
  diffCommand,
  initCommand,
  mcpCommand,
  skillsCommand,
  psCommand,
  agentsCommand,
  copyCommand,
  exportCommand,
  transcriptCommand,
  configCommand,
  reasoningCommand,
  themeCommand,
  vimCommand,
  accountCommand,
  loginCommand,
  logoutCommand,
  quitCommand,
  alias("exit", quitCommand),
];

/** A second name, which other programs use for the command. */
function alias(name: string, command: TerminalCommand): TerminalCommand {
  return { ...command, name, description: `the same as /${command.name}` };
}
