import { kill } from "node:process";
import { describeThrown } from "@unroll/text";
import type { ChildStart, StreamConnection } from "../../spawn/child.ts";
import type { ProcessLaunch } from "../../spawn/process-launch.ts";
import type { Guard, GuardOptions } from "../guard.ts";
import { createStarterDesk } from "./desk.ts";
import { openStarterLink, type StarterLink } from "./link.ts";
import { isSayable, toRequest } from "./start-request.ts";
import { canOpenPipe, toChild, type StartedProcess } from "./to-child.ts";

/** A guard that starts processes too: what that costs does not grow with the memory of the harness, as `fork` does. */
export interface Starter extends Guard {
  /** As `spawnChild`. Null: nothing was started, and whoever asks must do it. */
  readonly start: (
    launch: ProcessLaunch,
    connection: StreamConnection,
    fds: readonly number[],
  ) => Promise<ChildStart | null>;
}

/** How long it may take to be there before processes are started without it, in ms. */
const readyMs = 2_000;

/** Null where there cannot be one. `onGone`: it was of no use, or ended before it was closed. */
export function openStarter(options: GuardOptions, onGone: () => void): Starter | null {
  const desk = createStarterDesk();
  const known = new Set<number>();
  let isClosed = false;
  const link = openStarterLink(options, {
    hear: desk.hear,
    gone() {
      desk.lose();
      if (!isClosed) onGone();
    },
  });
  if (link === null) return null;
  const isReady = tryOut(link, desk.ready);

  return {
    isRunning: link.isRunning,
    watch(group) {
      // What it has started, it watches.
      if (!known.has(group)) link.say(["watch", String(group)], "now");
      known.add(group);
    },
    forget(group) {
      if (known.delete(group)) link.say(["forget", String(group)], "soon");
    },
    async close() {
      isClosed = true;
      await link.close(known.size === 0 ? ["over"] : null);
    },
    async start(launch, connection, fds) {
      if (connection === "inherited" || !isSayable(launch)) return null;
      link.hold(1);
      const request = desk.ask();
      let isAsked = await isReady;
      if (isAsked) {
        link.say(toRequest(request.id, launch, { hasInput: connection === "pipes", fds }), "now");
        isAsked = await link.wasSaid();
      }
      const answer = isAsked ? await request.answer : "refused";
      if (typeof answer === "string") {
        link.hold(-1);
        return answer === "refused" ? null : fail(launch, "what starts processes has ended");
      }
      void answer.exited.then(() => link.hold(-1));
      known.add(answer.pid);
      const start = open(launch, answer, link.pid);
      // Until then it keeps the pipes open, too: an input would not come to its end.
      link.say(["opened", request.id], connection === "pipes" ? "now" : "soon");
      return start;
    },
  };
}

/** A starter that cannot be used is ended at once; one that was ended is not used. */
async function tryOut(link: StarterLink, ready: Promise<number | null>): Promise<boolean> {
  const patience = Promise.withResolvers<null>();
  // Where it is we who are late, its word lies here unread: that is read first.
  const timer = setTimeout(() => setImmediate(patience.resolve, null), readyMs);
  const trial = await Promise.race([ready, patience.promise]);
  clearTimeout(timer);
  const isUsable = trial !== null && canOpenPipe(link.pid, trial);
  if (!isUsable) link.abandon();
  return isUsable;
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

/** It has run for a moment; nobody will read what it says. */
function end(group: number): void {
  try {
    kill(-group, "SIGKILL");
  } catch {
    // It is gone.
  }
}
