import type { ToolContext } from "../tool/tool.ts";
import type { CommandSession } from "./command-session.ts";
import type { BackgroundCommands } from "./background-commands.ts";

/** The end of a call about a session that it did not start: the thread is told what has ended, the model how it stands. */
export async function concludeCall(
  sessions: BackgroundCommands,
  { session, maxBytes }: { readonly session: CommandSession; readonly maxBytes: number },
  context: ToolContext,
): Promise<string> {
  const isOver = session.outcome !== null;
  const output = await session.report(maxBytes);
  for (const event of [...(isOver ? sessions.settle(session) : []), ...sessions.takeEndings()]) {
    await context.emit(event);
  }
  return output;
}
