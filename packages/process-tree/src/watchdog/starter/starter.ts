import { kill } from "node:process";
import { untilAborted } from "@unroll/flow";
import { describeThrown } from "@unroll/text";
import type { ChildStart, SpawnContext, StreamConnection } from "../../spawn/child.ts";
import type { LentChannel } from "../../spawn/borrow-channel.ts";
import { readOffer } from "../../spawn/listener.ts";
import type { ProcessLaunch } from "../../spawn/process-launch.ts";
import type { Guard } from "../guard.ts";
import { within } from "../../wait/within.ts";
import { createStarterDesk, type StarterAnswer, type StarterDesk } from "./desk.ts";
import { openStarterLink, type LinkOptions, type StarterLink } from "./link.ts";
import { isSayable, toRequest } from "./start-request.ts";
import { canOpenPipe, toChild, type StartedProcess } from "./to-child.ts";

/** A guard that also starts processes. Unlike `fork`, its cost does not grow with the harness's memory. */
export interface Starter extends Guard {
  /** Like `Watchdog.spawn`. Null: nothing was started, and the caller must start it. */
  readonly start: (
    launch: ProcessLaunch,
    connection: StreamConnection,
    context: SpawnContext,
  ) => Promise<ChildStart | null>;
  /** As of `Watchdog`. */
  readonly lendChannel: (launch: ProcessLaunch) => Promise<LentChannel | null>;
}

/** In ms: how long a starter may take. */
export interface StarterPatience {
  /** To be ready, before processes are started without it. */
  readonly readyMs: number;
  /** To respond, before it is continued in case it was stopped (SIGSTOP). */
  readonly answerMs: number;
  /**
   * To respond after that, before it counts as dead. Long, because an overloaded machine is slow to
   * start anything. 0: it is not continued.
   */
  readonly lastMs: number;
  /** To respond after an abort. */
  readonly abortMs: number;
}

/** How a starter ended that was not closed. */
export type StarterEnd = "was of no use" | "ended in use";

export interface StarterOptions extends LinkOptions {
  readonly patience: StarterPatience;
  /** Called once. */
  readonly onGone: (end: StarterEnd) => void;
}

/** In ms: how long a killed process may take to disappear. */
const goneMs = 1_000;

/** Null: a starter cannot work here. */
export function openStarter(options: StarterOptions): Starter | null {
  const desk = createStarterDesk();
  const takers: Takers = new Map();
  const take = (message: unknown, handle: unknown): void => takers.get(readOffer(message) ?? "")?.(handle);
  const link = openStarterLink(options, { hear: desk.hear, gone: () => desk.lose("all"), take });
  return link === null ? null : createStarter({ link, desk, takers }, options);
}

/** By the marker of a process: what takes the socket that it hands over. */
type Takers = Map<string, (handle: unknown) => void>;

interface StarterParts {
  readonly link: StarterLink;
  readonly desk: StarterDesk;
  readonly takers: Takers;
}

function createStarter({ link, desk, takers }: StarterParts, { patience, onGone }: StarterOptions): Starter {
  const known = new Set<number>();
  /** No other guard will replace it, or one has. */
  let isSettled = false;
  const isReady = tryOut(link, within(patience.readyMs, desk.ready)).then((isUsable) => {
    if (!isUsable) abandon("was of no use");
    return isUsable;
  });
  desk.over.then(async () => leave((await isReady) ? "ended in use" : "was of no use")).catch(() => {}); // the next start opens another one

  function leave(end: StarterEnd): void {
    if (!isSettled) onGone(end);
    isSettled = true;
  }

  /**
   * Another guard starts before this one ends. Otherwise, a harness killed in between would leave
   * its processes behind.
   */
  function abandon(end: StarterEnd): void {
    leave(end);
    link.abandon();
  }

  async function ask(id: string, request: readonly string[]): Promise<boolean> {
    if (!(await isReady)) return false;
    link.say(request, "now");
    return link.wasSaid();
  }

  return {
    isRunning: link.isRunning,
    watch(target) {
      // It watches what it has started.
      if (!known.has(target)) link.say(["watch", String(target)], "now");
      known.add(target);
    },
    forget(target) {
      if (known.delete(target)) link.say(["forget", String(target)], "soon");
    },
    async close() {
      isSettled = true;
      await link.close(known.size === 0 ? ["over"] : null);
    },
    async lendChannel({ marker, takeListener }) {
      if (!takeListener || link.hatch === null || !(await isReady)) return null;
      takers.set(marker, takeListener);
      return { ...link.hatch, release: () => void takers.delete(marker) };
    },
    async start(launch, connection, { fds, signal }) {
      if (connection === "inherited" || !isSayable(launch)) return null;
      link.hold(1);
      const request = desk.ask();
      const asked = ask(request.id, toRequest(request.id, launch, { hasInput: connection === "pipes", fds }));
      if (launch.takeListener) takers.set(launch.marker, launch.takeListener);
      const answered = asked.then((isAsked) => (isAsked ? request.answer : "refused"));
      const giveUp = (): void => abandon("ended in use");
      const answer = await insist(answered, { link, desk, giveUp, patience, signal });
      if (typeof answer === "string") {
        link.hold(-1);
        takers.delete(launch.marker);
        if (answer === "lost") return fail(launch, "what starts processes has ended");
        return signal.aborted ? fail(launch, "it is no longer wanted") : null;
      }
      answer.exited
        .then(() => {
          link.hold(-1);
          takers.delete(launch.marker);
        })
        .catch(() => {});
      known.add(-answer.pid);
      const start = open(launch, answer, link.pid);
      // Until then it keeps the pipes open, too, and an input would not end.
      link.say(["opened", request.id], connection === "pipes" ? "now" : "soon");
      return start;
    },
  };
}

interface Insistence {
  readonly link: StarterLink;
  readonly desk: StarterDesk;
  readonly giveUp: () => void;
  readonly patience: StarterPatience;
  readonly signal: AbortSignal;
}

/** A starter that does not respond is killed. It starts nothing more after that. */
async function insist(
  answer: Promise<StarterAnswer>,
  { link, desk, giveUp, patience: { answerMs, lastMs, abortMs }, signal }: Insistence,
): Promise<StarterAnswer> {
  const heard = await untilAborted(within(answerMs, answer), signal);
  if (heard !== null) return heard;
  if (lastMs > 0) link.wake();
  const late = await untilAborted(within(lastMs, answer), signal);
  if (late !== null) return late;
  const last = signal.aborted ? await within(abortMs, answer) : null;
  if (last !== null) return last;
  giveUp();
  if ((await within(goneMs, answer)) === null) desk.lose("perhaps not all");
  return answer;
}

/** Whether a starter can be used. */
async function tryOut(link: StarterLink, ready: Promise<number | null>): Promise<boolean> {
  const trial = await ready;
  return trial !== null && canOpenPipe(link.pid, trial);
}

function open(launch: ProcessLaunch, started: StartedProcess, starter: number): ChildStart {
  try {
    return { type: "started", child: toChild(started, starter) };
  } catch (error) {
    end(started.pid);
    return fail(launch, describeThrown(error));
  }
}

function fail({ file }: ProcessLaunch, reason: string): ChildStart {
  return { type: "failed", reason: "other", message: `${file} could not be started: ${reason}` };
}

/** It ran for a moment; nobody will read its output. */
function end(group: number): void {
  try {
    kill(-group, "SIGKILL");
  } catch {
    // It has ended.
  }
}
