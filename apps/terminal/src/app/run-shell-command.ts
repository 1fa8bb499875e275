import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { renderUserCommand, runUserCommand } from "@unroll/use-cases/user-command";
import { type App, tell } from "./app.ts";
import { runBeside } from "./run-work.ts";

const timeoutMs = 10 * 60 * 1000;

/**
 * Runs your own command: `!command` outside the sandbox, `!!command` inside it. The model gets it with your next message.
 * `typed`: without the first `!`.
 */
export async function runScript(app: App, typed: string): Promise<void> {
  const { threads, host } = app;
  const { config } = threads.current;
  const isConfined = typed.startsWith("!");
  const script = isConfined ? typed.slice(1).trim() : typed;
  tell(app, isConfined ? `In the sandbox (${config.sandboxSettings.mode}):` : "Outside the sandbox, as you:", "muted");
  const id = `own_${app.shownItems++}`;
  const held: { output: string | null } = { output: null };

  async function* start(signal: AbortSignal): AsyncGenerator<ThreadEvent, TurnOutcome> {
    const item = yield* runUserCommand({ id, script, isConfined, timeoutMs }, { config, host }, signal);
    yield { type: "item.completed", item };
    held.output = renderUserCommand(item);
    return { type: "completed", finalMessage: null, usage: noTokenUsage };
  }

  await runBeside(app, start);
  if (held.output === null) return;
  await threads.current.send([{ type: "text", text: held.output, isAdded: true }]);
  tell(app, "The model gets this with your next message.", "muted");
}
