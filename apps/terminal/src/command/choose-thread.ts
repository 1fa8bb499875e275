import type { ThreadSummary } from "@unroll/protocol";
import { renderAge } from "@unroll/report";
import { shortenText, showHidden } from "@unroll/text";
import { listThreads } from "@unroll/use-cases/threads";
import type { CommandContext } from "./terminal-command.ts";

/** More cannot be searched in a list. */
const shownThreads = 300;
const shownCharacters = 60;

/** The id of another thread of the working folder; null: there is none, or you left the question. */
export async function chooseThread(
  { thread, threads, host, choose, tell }: CommandContext,
  title: string,
): Promise<string | null> {
  if (thread.isEphemeral) {
    tell("Threads are not saved (history.persistence or --ephemeral), so there is none to resume.");
    return null;
  }
  const options = [];
  const isWanted = ({ threadId }: ThreadSummary): boolean => threadId !== thread.id;
  const query = { cwd: thread.config.cwd, isWanted, limit: shownThreads };
  for await (const found of listThreads(await threads.openStore(), query)) {
    const label = showHidden(found.name ?? found.title ?? "(no message)").replaceAll(/\s+/g, " ");
    const description = `${renderAge(host.now() - found.usedAt)}, ${found.turns} ${found.turns === 1 ? "turn" : "turns"}`;
    options.push({ value: found.threadId, label: shortenText(label, shownCharacters), description });
  }
  if (options.length > 0) return choose({ title, options });
  tell("There is no other thread in this folder. /resume ID resumes one of another folder.");
  return null;
}
