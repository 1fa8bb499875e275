import { renderAge } from "@unroll/report";
import { shortenText } from "@unroll/text";
import { listThreads } from "@unroll/use-cases/threads";
import { toOneLine } from "../text/to-one-line.ts";
import type { ArgumentChoice, ArgumentContext } from "./terminal-command.ts";

const mostThreads = 300;
const shownCharacters = 60;

/** The other threads of the working folder, by their names or first messages. */
export async function listThreadChoices(context: ArgumentContext): Promise<readonly ArgumentChoice[]> {
  const { thread, threads, host } = context;
  if (thread.isEphemeral) return [];
  const choices: ArgumentChoice[] = [];
  const query = { cwd: thread.config.cwd, limit: mostThreads };
  for await (const { threadId, name, title, usedAt } of listThreads(await threads.host.openStore(), query)) {
    if (threadId === thread.id) continue;
    const label = toOneLine(name ?? title ?? "(no message)");
    const description = `${threadId}, ${renderAge(host.now() - usedAt)}`;
    choices.push({ value: threadId, label: shortenText(label, shownCharacters), description });
  }
  return choices;
}
