import type { SandboxMode } from "@unroll/protocol";
import { chooseNamed, listNames } from "../choose-named.ts";
import { fullAccess } from "../policy-command.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

interface Mode {
  readonly value: string;
  readonly description: string;
  /** Null: plan mode, which has its own. */
  readonly sandboxMode: SandboxMode | null;
}

/** In the order of Shift+Tab. */
const modes = [
  { value: "read-only", description: "the model reads; asks before it changes anything", sandboxMode: "read-only" },
  { value: "edit", description: "the model edits files in the working folder", sandboxMode: "workspace-write" },
  { value: "plan", description: "the model reads and plans; changes nothing until /plan go", sandboxMode: null },
  {
    value: "full",
    description: "no sandbox: the model can do everything that you can",
    sandboxMode: "danger-full-access",
  },
] as const satisfies readonly Mode[];

const nextMode = { value: "next", description: "the mode after the one in force" };

export const modeCommand: TerminalCommand = {
  name: "mode",
  description: "switch between reading, editing and planning",
  argument: listNames([...modes, nextMode]),
  choices: () => [...modes, nextMode],
  timing: "always",
  isHarmless: true,
  async run(context, argument) {
    const { thread } = context;
    const now = findMode(thread);
    if (argument === nextMode.value) return setNext(context, now);
    const chosen = await chooseNamed(context, argument, {
      title: "What may the model do?",
      noun: "mode",
      options: modes,
      current: now.value,
    });
    if (chosen !== null) await setMode(context, chosen);
  },
};

function findMode({ isPlanning, config }: CommandContext["thread"]): Mode {
  const wanted = isPlanning ? null : config.sandboxSettings.mode;
  return modes.find(({ sandboxMode }) => sandboxMode === wanted) ?? modes[0];
}

/** If you decline full access, the first mode is set. */
async function setNext(context: CommandContext, now: Mode): Promise<void> {
  const next = modes[(modes.findIndex(({ value }) => value === now.value) + 1) % modes.length] ?? modes[0];
  if (!(await setMode(context, next))) await setMode(context, modes[0]);
}

/** False: you declined full access, and nothing changed. The approval policy stays. */
async function setMode(context: CommandContext, { value, description, sandboxMode }: Mode): Promise<boolean> {
  const { thread, threads, note } = context;
  if (sandboxMode === null) await thread.setPlanMode(true);
  else {
    if (sandboxMode === "danger-full-access" && !(await context.confirm(fullAccess))) return false;
    const change = { sandboxSettings: { ...thread.config.sandboxSettings, mode: sandboxMode } };
    if (thread.isPlanning) await thread.setPlanMode(false, change); // in one step, so that nothing is wider in between
    await threads.change(change); // also for the next threads
  }
  note(`Mode: ${value} (${description}).`);
  return true;
}
