import type { ThreadSummary } from "@unroll/protocol";
import { renderAge } from "@unroll/report";
import { shortenText, showHidden } from "@unroll/text";
import { listThreads } from "@unroll/use-cases/threads";
import type { CommandContext } from "./terminal-command.ts";

/** As many as one searches. */
const shownThreads = 300;
const shownCharacters = 60;

/** The id of an earlier thread of the working folder; null: there is none, or the person left. */
export async function chooseThread(
  { conversation, host, choose, tell }: CommandContext,
  title: string,
): Promise<string | null> {
  const { store, config, thread } = conversation;
  if (store === null) {
    tell("Conversations are not kept (history.persistence), so there is none to go on with.");
    return null;
  }
  const options = [];
  const isWanted = ({ threadId }: ThreadSummary): boolean => threadId !== thread.id;
  for await (const found of listThreads(store, { cwd: config.cwd, isWanted, limit: shownThreads })) {
    const said = showHidden(found.name ?? found.title ?? "(nothing was said)").replaceAll(/\s+/g, " ");
    const description = `${renderAge(host.now() - found.usedAt)}, ${found.turns} ${found.turns === 1 ? "turn" : "turns"}`;
    options.push({ value: found.threadId, label: shortenText(said, shownCharacters), description });
  }
  if (options.length > 0) return choose({ title, options });
  tell("No other conversation was begun in this folder; /resume ID takes one of another.");
  return null;
}
