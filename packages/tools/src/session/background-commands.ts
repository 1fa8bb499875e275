import { checkShape } from "@unroll/text";
import type { ThreadEvent } from "@unroll/protocol";
import { type CommandSession, type SessionCommand, type SessionPorts, startCommandSession } from "./command-session.ts";

/** The commands of a thread that outlive its calls. */
export interface BackgroundCommands extends BackgroundCommandList {
  /**
   * Starts a command. Makes room by forgetting the oldest session that has ended; null where as many run as may. The one who
   * starts it has it to itself until `leave`, or tells its end by `settle`.
   */
  start(command: SessionCommand): CommandSession | null;
  /** The call that started it is over. A session that was settled stays forgotten. */
  leave(session: CommandSession): void;
  /** Forgets a command that has ended and returns the event of its end, unless it was reported before. */
  settle(session: CommandSession): readonly ThreadEvent[];
  find(id: number): CommandSession | null;
  /** The events of the ends, not told before, of those that were left running. */
  takeEndings(): readonly ThreadEvent[];
  /** Ends all of them; `onEnd` is called for each. Resolves when nothing of them is left. */
  close(): Promise<void>;
}

/** A program's view of a thread's background commands. */
export interface BackgroundCommandList {
  /** Running commands, and ended ones whose last output the model has not read. Oldest first. */
  list(): readonly BackgroundCommandInfo[];
  /**
   * Ends a command and everything it started; the model learns it when it looks again. False: no
   * such command runs.
   */
  kill(id: number): Promise<boolean>;
  /** The last 16,384 characters that a command wrote; null where there is no such session. */
  tail(id: number): string | null;
}

/** A session as a person sees it listed. */
export interface BackgroundCommandInfo {
  readonly id: number;
  /** As a shell would take it. */
  readonly command: string;
  /** Absolute. */
  readonly cwd: string;
  /** Whether it has a terminal, and so can be typed to. */
  readonly hasTerminal: boolean;
  readonly isRunning: boolean;
  /** Null while it runs, and where it was stopped or never started. */
  readonly exitCode: number | null;
}

/** How many sessions a thread keeps, and how they are numbered. */
export interface CommandSessionsOptions extends SessionPorts {
  /** Ids count up from here. One that differs from run to run keeps a resumed thread from meeting another's sessions. */
  readonly firstId: number;
  /** Default 64. */
  readonly maxSessions?: number;
  /** Called when one that was left running has ended: `takeEndings` tells it then. Absent: nobody waits for that. */
  readonly onEnd?: () => void;
}

/** Facts about a command besides itself. */
interface Entry {
  readonly session: CommandSession;
  /** Left running by the call that started it. */
  readonly isBackground: boolean;
  /** Its end was reported. */
  readonly isTold: boolean;
}

const defaultMaxSessions = 64;

/** The commands that a thread left running. Close it: it ends them. */
export function createBackgroundCommands(options: CommandSessionsOptions): BackgroundCommands {
  checkShape("createBackgroundCommands", options, {
    "runner.startBackgroundCommand": "a function",
    "clock.elapsed": "a function",
    firstId: "a number",
  });
  const { maxSessions = defaultMaxSessions, onEnd = () => {} } = options;
  const entries = new Map<number, Entry>();
  let untold: ThreadEvent[] = [];
  let nextId = options.firstId;

  function start(command: SessionCommand): CommandSession | null {
    if (entries.size >= maxSessions && !forgetOldest()) return null;
    const session = startCommandSession(options, { id: nextId++, command });
    entries.set(session.id, { session, isBackground: false, isTold: false });
    return session;
  }

  function forgetOldest(): boolean {
    const oldest = [...entries.values()].find(hasEndedAlone);
    if (oldest === undefined) return false;
    untold.push(...settle(oldest.session));
    return true;
  }

  function settle(session: CommandSession): readonly ThreadEvent[] {
    const entry = entries.get(session.id);
    entries.delete(session.id);
    return entry === undefined || entry.isTold ? [] : [toEndEvent(session)];
  }

  return {
    start,
    settle,
    leave({ id, ended }) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entries.set(id, { ...entry, isBackground: true });
      ended.then(onEnd).catch(() => {});
    },
    find: (id) => entries.get(id)?.session ?? null,
    takeEndings() {
      const ended = [...entries.values()].filter((entry) => hasEndedAlone(entry) && !entry.isTold);
      for (const entry of ended) entries.set(entry.session.id, { ...entry, isTold: true });
      const events = [...untold, ...ended.map(({ session }) => toEndEvent(session))];
      untold = [];
      return events;
    },
    list: () => [...entries.values()].map(({ session }) => toInfo(session)),
    async kill(id) {
      const session = entries.get(id)?.session;
      if (session === undefined || session.outcome !== null) return false;
      await session.stop("user");
      return true;
    },
    tail: (id) => entries.get(id)?.session.tail() ?? null,
    async close() {
      await Promise.all([...entries.values()].map(({ session }) => session.stop("close")));
      entries.clear();
    },
  };
}

function hasEndedAlone({ session, isBackground }: Entry): boolean {
  return isBackground && session.outcome !== null;
}

function toEndEvent(session: CommandSession): ThreadEvent {
  return { type: "item.completed", item: session.toItem() };
}

function toInfo({ id, command, outcome }: CommandSession): BackgroundCommandInfo {
  const { item, request, hasTerminal } = command;
  const exitCode = outcome?.type === "exited" ? outcome.exitCode : null;
  return { id, command: item.command, cwd: request.cwd, hasTerminal, isRunning: outcome === null, exitCode };
}
