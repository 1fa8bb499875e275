import type { TurnOutcome, ThreadEvent } from "@unroll/protocol";
import { noTokenUsage } from "@unroll/protocol";
import { renderShellCommand, runShellCommand } from "../run-shell-command.ts";
import { runWork } from "./run-work.ts";
import type { Talk } from "./talk.ts";
import { tell } from "./tell.ts";

/** A command of the person's (`!command`): the model gets it with the next message. */
export async function runScript(talk: Talk, script: string): Promise<void> {
  const { conversation, host } = talk;
  const id = `own_${talk.shownItems++}`;
  const held: { output: string | null } = { output: null };

  async function* start(signal: AbortSignal): AsyncGenerator<ThreadEvent, TurnOutcome> {
    const item = yield* runShellCommand({ id, script }, { config: conversation.config, host }, signal);
    held.output = renderShellCommand(item);
    return { type: "completed", finalMessage: null, usage: noTokenUsage };
  }

  await runWork(talk, start, (event) => event);
  if (held.output === null) return;
  await conversation.thread.send(held.output);
  tell(talk, "The model gets this with your next message.", "muted");
}
