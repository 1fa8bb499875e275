import { findThreadId } from "@unroll/program";
import { describeResumed } from "../../text/describe-settings.ts";
import { chooseThread, type ChosenThread, type RefusedThread } from "../choose-thread.ts";
import { listThreadChoices } from "../list-thread-choices.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const resumeCommand: TerminalCommand = {
  name: "resume",
  description: "continue an earlier thread; without ID: list and tidy threads",
  argument: "[ID|NAME]",
  choices: listThreadChoices,
  timing: "between_turns",
  isHarmless: true,
  async run(context, argument) {
    const { thread, tell } = context;
    if (thread.isEphemeral && argument === "")
      return tell("There is no thread to resume: threads are not saved (history.persistence or --ephemeral).");
    const named = argument === "" ? null : { id: await findId(context, argument), isCopy: false };
    for (let wish = named ?? (await choose(context, null)); wish !== null;) {
      const refusal = await open(context, wish);
      if (refusal === null) return;
      wish = await choose(context, { id: wish.id, message: refusal });
    }
  },
};

async function findId({ thread, threads }: CommandContext, name: string): Promise<string> {
  return findThreadId(await threads.host.openStore(), { name, cwd: thread.config.cwd, all: null });
}

/** Null: you left, or there is no other thread, which was shown. */
async function choose(
  { thread, threads, host, choose: ask, tell }: CommandContext,
  refused: RefusedThread | null,
): Promise<ChosenThread | null> {
  const ports = { threads: threads.host, host, cwd: thread.config.cwd, currentId: thread.id, choose: ask };
  const chosen = await chooseThread({ ...ports, verb: "Resume" }, { all: false, refused });
  if (chosen !== "none") return chosen;
  tell(refused?.message ?? "There is no other thread.");
  return null;
}

/** Returns why it cannot be continued, if another process has it open; null: done. */
async function open(context: CommandContext, { id, isCopy }: ChosenThread): Promise<string | null> {
  const { thread, threads, showPast, tell } = context;
  if (!isCopy && thread.id.startsWith(id)) {
    tell("You are already in this thread.");
    return null;
  }
  try {
    await threads.open(isCopy ? { type: "fork", id, turns: null } : { type: "resume", id });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "thread_locked") return error.message;
    throw error;
  }
  await showPast();
  tell(isCopy ? `You are now in a copy: ${threads.current.id}.` : describeResumed(threads.current));
  return null;
}
