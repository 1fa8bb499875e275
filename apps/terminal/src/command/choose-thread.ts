import type { ThreadSummary } from "@unroll/protocol";
import { renderAge } from "@unroll/report";
import { pluralize, shortenText, showHidden } from "@unroll/text";
import { listThreads } from "@unroll/use-cases/threads";
import type { CommandContext } from "./terminal-command.ts";

/** How many threads the list has at most. */
const shownThreads = 300;
const shownCharacters = 60;

/** The id of another thread of the working folder; null: there is none, or you left the question. */
export async function chooseThread(
  { thread, threads, host, choose, tell }: CommandContext,
  title: string,
): Promise<string | null> {
  if (thread.isEphemeral) {
    tell("There is no thread to resume: threads are not saved (history.persistence or --ephemeral).");
    return null;
  }
  const options = [];
  const isWanted = ({ threadId }: ThreadSummary): boolean => threadId !== thread.id;
  const query = { cwd: thread.config.cwd, isWanted, limit: shownThreads };
  for await (const found of listThreads(await threads.openStore(), query)) {
    const label = showHidden(found.name ?? found.title ?? "(no message)").replaceAll(/\s+/g, " ");
    const description = `${renderAge(host.now() - found.usedAt)}, ${pluralize(found.turns, "turn")}`;
    options.push({ value: found.threadId, label: shortenText(label, shownCharacters), description });
  }
  if (options.length > 0) return choose({ title, options });
  tell("There is no other thread in this folder. To resume one from another folder, use /resume ID.");
  return null;
}
