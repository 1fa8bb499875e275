import { describeFork, formatSize, renderAge } from "@unroll/report";
import { pluralize, shortenText, showHidden } from "@unroll/text";
import { type ChoosableThread, nameThread } from "@unroll/use-cases/threads";
import { shortenHome } from "../text/shorten-home.ts";
import { toOneLine } from "../text/to-one-line.ts";
import type { Choice } from "./terminal-command.ts";

/** Facts about the program that lists threads. */
export interface ThreadOptionFacts {
  /** In ms since 1970. */
  readonly now: number;
  readonly homeDirectory: string;
  /** Whether this program has the thread open. */
  readonly isOpenHere: (threadId: string) => boolean;
  /** Whether the list has threads of several folders. */
  readonly showsFolders: boolean;
  readonly archived: boolean;
}

type ThreadOption = Choice["options"][number];

const shownCharacters = { label: 120, origin: 28, branch: 20, folder: 28 };

/** A thread as a row of a list. */
export function toThreadOption(thread: ChoosableThread, facts: ThreadOptionFacts): ThreadOption {
  const { now, homeDirectory, isOpenHere, showsFolders, archived } = facts;
  const { threadId, name, title, branch, turns, createdAt, usedAt, forkedFrom } = thread;
  const isHere = isOpenHere(threadId);
  const isElsewhere = thread.openIn !== null && !isHere;
  const age = renderAge(now - usedAt);
  const state = isHere ? "open here" : isElsewhere ? "open elsewhere" : age;
  const [label, copy] = [describeThread(thread), describeOrigin(thread)];
  const message = name === null ? null : (forkedFrom?.title ?? title);
  const details = [...(message === null ? [] : [toLabel(message)]), ...(copy === null || copy === label ? [] : [copy])];
  const folder = shortenFolder(thread.cwd, homeDirectory);
  const size = formatSize(thread.size);
  const times = [`created ${renderAge(now - createdAt)}`, `used ${age}`];
  return {
    value: threadId,
    label,
    description: details.join(" · "),
    columns: [
      ...(showsFolders ? [keepEnd(folder, shownCharacters.folder)] : []),
      state,
      branch === null ? "" : shortenText(showHidden(branch), shownCharacters.branch),
      size,
    ],
    about: [
      [pluralize(turns, "turn"), ...times, size, folder].join(" · "),
      ...(title === null ? [] : [`first message: ${toLabel(title)}`]),
      copy === null ? threadId : `${copy} · ${threadId}`,
    ],
    ...(isElsewhere && {
      refusal: `It is open in ${toProcess(thread)}. Choose another thread, or continue in a copy.`,
    }),
    ...(archived && { refusal: "It is archived. Restore it first, or continue in a copy." }),
  };
}

/** Its name, or its first message. A copy without a message of its own is named by its origin. */
export function describeThread(thread: ChoosableThread): string {
  const { name, forkedFrom } = thread;
  const isBare = name === null && forkedFrom !== null && forkedFrom.turns !== null && forkedFrom.title === null;
  return (isBare ? describeOrigin(thread) : null) ?? toLabel(nameThread(thread) ?? "(no message)");
}

/** Null: it is not a copy. The first message of a copy is that of its origin. */
function describeOrigin({ forkedFrom, origin, title }: ChoosableThread): string | null {
  if (forkedFrom === null) return null;
  const name = origin === null ? title : nameThread(origin);
  return describeFork(forkedFrom, name === null ? null : `“${shortenText(toLabel(name), shownCharacters.origin)}”`);
}

function toProcess({ openIn }: ChoosableThread): string {
  const pid = openIn?.pid ?? null;
  return pid === null ? "another process" : `another process (${pid})`;
}

function toLabel(text: string): string {
  return shortenText(toOneLine(text), shownCharacters.label);
}

function shortenFolder(folder: string | null, home: string): string {
  return folder === null ? "unknown folder" : showHidden(shortenHome(folder, home));
}

function keepEnd(text: string, characters: number): string {
  return text.length <= characters ? text : `…${text.slice(-characters)}`;
}
