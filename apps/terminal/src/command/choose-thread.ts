import type { Host } from "@unroll/harness";
import type { ThreadQuery } from "@unroll/protocol";
import { formatSize, renderAge } from "@unroll/report";
import type { KeyAction } from "@unroll/screen";
import { pluralize } from "@unroll/text";
import type { ThreadHost } from "@unroll/thread-host";
import {
  type ChoosableThread,
  readChoosableThreads,
  sortThreads,
  type ThreadOrder,
  threadOrders,
} from "@unroll/use-cases/threads";
import type { ActionQuestion, Choice, ChoiceAction } from "./terminal-command.ts";
import { describeThread, toThreadOption } from "./thread-option.ts";

/** The parts of the program that the list of threads needs. */
export interface ThreadListPorts {
  readonly threads: Pick<ThreadHost, "threads" | "openStore" | "rename">;
  readonly host: Pick<Host, "now" | "homeDirectory">;
  /** The working folder. */
  readonly cwd: string;
  /** The thread that you are in, which is marked; null: none. */
  readonly currentId: string | null;
  readonly choose: (choice: Choice) => Promise<string | null>;
  /** The first word of the title: what happens to the thread that you choose. */
  readonly verb: "Resume" | "Fork";
}

/** How the list begins. */
export interface ThreadListStart {
  /** With the threads of all folders. */
  readonly all: boolean;
  /** Null, if you have not chosen yet. */
  readonly refused: RefusedThread | null;
}

/** The thread that you want. */
export interface ChosenThread {
  readonly id: string;
  /** You want to continue in a copy. */
  readonly isCopy: boolean;
}

/** A thread that could not be opened: it is selected, and the list says why. */
export interface RefusedThread {
  /** Or the start of it. */
  readonly id: string;
  readonly message: string;
}

/**
 * Lists the saved threads of this folder, or of all folders if it has none. There you can sort, filter, rename, archive and delete
 * threads. Null: you left. `none`: there is no other thread.
 */
export async function chooseThread(
  ports: ThreadListPorts,
  { all, refused }: ThreadListStart,
): Promise<ChosenThread | "none" | null> {
  let list = await load({ ports, all, archived: false, order: "used" });
  if (findOther(list) === null) list = await load({ ...list, all: true });
  if (findOther(list) === null) return "none";
  const choice = toChoice(list);
  const option = refused && choice.options.find(({ value }) => value.startsWith(refused.id));
  const notice = option?.refusal ?? refused?.message ?? null;
  const value = await ports.choose({ ...choice, notice, selected: option?.value ?? findOther(list)?.threadId ?? null });
  if (value === null) return null;
  const isCopy = value.startsWith(copyMark);
  return { id: isCopy ? value.slice(copyMark.length) : value, isCopy };
}

/** In front of the id, in the value of a choice. */
const copyMark = "copy ";

interface ListQuery {
  readonly ports: ThreadListPorts;
  /** Whether threads of all folders are listed. */
  readonly all: boolean;
  readonly archived: boolean;
  readonly order: ThreadOrder;
}

interface ThreadList extends ListQuery {
  readonly threads: readonly ChoosableThread[];
}

/** The first thread that you are not in. */
function findOther({ ports, threads, order }: ThreadList): ChoosableThread | null {
  return sortThreads(threads, order).find(({ threadId }) => threadId !== ports.currentId) ?? null;
}

async function load({ ports, all, archived, order }: ListQuery): Promise<ThreadList> {
  const query: ThreadQuery = { archived, ...(!all && { cwd: ports.cwd }) };
  const threads = await readChoosableThreads(await ports.threads.openStore(), query);
  return { ports, all, archived, order, threads };
}

function toChoice(list: ThreadList, notice: string | null = null): Choice {
  const { ports, all, archived, order } = list;
  const { host, threads } = ports;
  const facts = {
    now: host.now(),
    homeDirectory: host.homeDirectory,
    isOpenHere: (threadId: string) => threads.threads.has(threadId),
    showsFolders: all,
    archived,
  };
  return {
    title: `${archived ? "Archived" : ports.verb}: ${all ? "all folders" : "this folder"}, ${orderNames[order]}`,
    options: sortThreads(list.threads, order).map((thread) => toThreadOption(thread, facts)),
    actions: listActions(list),
    notice,
    current: ports.currentId,
  };
}

const orderNames: Readonly<Record<ThreadOrder, string>> = {
  used: "last used first",
  created: "newest first",
  size: "largest first",
  name: "by name",
};

function listActions(list: ThreadList): readonly ChoiceAction[] {
  const { ports, all, archived, order } = list;
  const { threads } = ports;
  const ofList = (name: string, action: KeyAction, run: ChoiceAction["run"]): ChoiceAction => ({
    name,
    action,
    isOfOption: false,
    run,
  });
  const next = threadOrders[(threadOrders.indexOf(order) + 1) % threadOrders.length] ?? "used";
  const upkeep = async (): Promise<Upkeep> => (await threads.openStore()).upkeep;
  const [archive, remove] = [archived ? "restore" : "archive", "delete"] as const;
  return [
    ofList("sort", "threads.sort", () => toChoice({ ...list, order: next })),
    ofList("folders", "threads.toggle_folders", async () => toChoice(await load({ ...list, all: !all }))),
    ofList(archived ? "saved" : "archived", "threads.toggle_archived", async () =>
      toChoice(await load({ ...list, archived: !archived })),
    ),
    {
      ...ofThread(list, "rename", async (id, name) => {
        await threads.rename(id, name === "" ? null : name);
        return name === "" ? "The thread has no name any more." : `Renamed: ${name}`;
      }),
      action: "threads.rename",
      ask: (id) => toNameQuestion(list, id),
    },
    {
      ...ofThread(list, archive, async (id) => {
        await (archived ? (await upkeep()).unarchive(id) : (await upkeep()).archive(id));
        return archived ? "Restored." : "Archived. You can restore it from the archived threads.";
      }),
      action: "threads.archive",
    },
    {
      ...ofThread(list, remove, async (id) => {
        await (await upkeep()).remove(id);
        return "Deleted.";
      }),
      action: "threads.delete",
      ask: (id) => toDeleteQuestion(list, id),
    },
    { name: "copy", action: "threads.copy", isOfOption: true, run: (id) => `${copyMark}${id ?? ""}` },
  ];
}

type Upkeep = Awaited<ReturnType<ThreadHost["openStore"]>>["upkeep"];

/** An action on a thread. `run` returns a sentence about what it did. An error is shown above the list, which is read again. */
function ofThread(
  list: ThreadList,
  name: string,
  run: (threadId: string, text: string) => Promise<string>,
): Omit<ChoiceAction, "action"> {
  return {
    name,
    isOfOption: true,
    async run(id, text) {
      const notice = await run(id ?? "", text?.trim() ?? "").catch((error: unknown) => {
        if (error instanceof Error && "code" in error) return error.message;
        throw error;
      });
      return toChoice(await load(list), notice);
    },
  };
}

function find({ threads }: ThreadList, id: string): ChoosableThread | null {
  return threads.find(({ threadId }) => threadId === id) ?? null;
}

function toNameQuestion(list: ThreadList, id: string): ActionQuestion | null {
  const thread = find(list, id);
  if (thread === null) return null;
  const title = `Rename “${describeThread(thread)}”. Leave it empty to remove the name.`;
  return { type: "text", title, label: "name", text: thread.name ?? "" };
}

/** Says what is lost. */
function toDeleteQuestion({ ports, ...list }: ThreadList, id: string): ActionQuestion | null {
  const thread = find({ ports, ...list }, id);
  if (thread === null) return null;
  const { turns, size, usedAt, copies } = thread;
  const used = `last used ${renderAge(ports.host.now() - usedAt)}`;
  return {
    type: "consent",
    title: `Delete “${describeThread(thread)}” permanently?`,
    facts: [
      `You lose ${pluralize(turns, "turn")} (${formatSize(size)}, ${used}). They cannot be restored.`,
      ...(copies > 0 ? [copies === 1 ? "Its copy stays." : `Its ${copies} copies stay.`] : []),
      "Files that were changed in the thread stay as they are.",
    ],
  };
}
