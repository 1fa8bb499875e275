import { noTokenUsage, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { watchTurn } from "../law/turn-laws.ts";
import { restoreKeys } from "./boot.ts";
import type { Scene } from "./live-program.ts";
import type { LiveThread, Running } from "./live-thread.ts";
import { spawnAgent, tendAgent } from "./program-agents.ts";

/** The disturbances of a turn while it runs: at which event, counted from 0; null: none. */
export interface TurnPlan {
  readonly steerAt: number | null;
  /** When it begins to ask before each command. */
  readonly tightenAt: number | null;
  /** When the program starts a sub-agent or does something with one. */
  readonly agentAt: number | null;
  readonly endAt: number | null;
  readonly end: "interrupt" | "leave" | "close";
  readonly stop: AbortController;
}

type Turn = AsyncGenerator<ThreadEvent, TurnOutcome>;

interface FollowTurn {
  readonly events: Turn;
  readonly plan: TurnPlan;
  readonly running: Running;
}

/** How a turn ended that was read to its end. */
export interface FollowedTurn {
  readonly outcome: TurnOutcome;
  /** A warning said that the thread could not be saved. */
  readonly isUnsaved: boolean;
}

/** Reads a turn to its end, or leaves it. Null: it was left. */
export async function followTurn(scene: Scene, live: LiveThread, turn: FollowTurn): Promise<FollowedTurn | null> {
  const { book, history, laws, world } = scene;
  const told: ThreadEvent[] = [];
  const { events, plan, running } = turn;
  const { process, family, choice } = running;
  const watch = watchTurn(book, { secrets: Object.values(world.keys), limits: choice, onPatch: world.onPatch });
  for (let index = 0; ; index++) {
    const next = await process.outlive(events.next());
    if (next.done === true) {
      book.note(`turn ended: ${next.value.type}`);
      if (!live.isOpen(running)) return null; // another thread's turn ended the program, which reads no more
      watch.end();
      await process.outlive(family.endTurn(next.value));
      if (!watch.isUnsaved && !isUnwritten(next.value)) history.keep(live.id, told);
      if (next.value.type !== "completed") restoreKeys(world);
      return { outcome: next.value, isUnsaved: watch.isUnsaved };
    }
    watch.take(next.value);
    told.push(next.value);
    const model = readSwitch(next.value);
    if (model !== null) laws.announce(live.id, model);
    await process.outlive(process.step(describe(next.value)));
    if (index === plan.steerAt) await live.send(`steer-${scene.count()}.`, running);
    if (index === plan.tightenAt && live.isOpen(running)) {
      running.thread.change({ approvalPolicy: "untrusted" });
      world.tighten();
      live.program.choice = { ...live.program.choice, approvalPolicy: "untrusted" };
    }
    if (index === plan.agentAt && live.isOpen(running)) await world.chance.pick(spawnAgent, tendAgent)(scene, running);
    if (index === plan.endAt && (await endTurn(scene, live, turn))) return null;
  }
}

/** The model that answers from now on, where an event says so. */
function readSwitch(event: ThreadEvent): string | null {
  const cause = event.type === "epoch.opened" ? event.cause : "";
  return /^the (?:model|provider) was changed from .* to (\S+) of \S+$/.exec(cause)?.[1] ?? null;
}

/** The latest events may be missing in its journal. */
function isUnwritten(outcome: TurnOutcome): boolean {
  return outcome.type === "failed" && outcome.error.code === "journal_failed";
}

/** True: nobody reads it any more. */
async function endTurn(
  { world }: Scene,
  live: LiveThread,
  { events, plan, running: { process } }: FollowTurn,
): Promise<boolean> {
  restoreKeys(world);
  switch (plan.end) {
    case "interrupt":
      plan.stop.abort();
      return false;
    case "leave":
      await process.outlive(events.return({ type: "interrupted", usage: noTokenUsage }));
      return true;
    case "close":
      await live.program.close();
      return true;
  }
}

function describe(event: ThreadEvent): string {
  if (event.type === "turn.failed") return `turn.failed ${event.error.code}`;
  if (event.type === "warning") return `warning: ${event.message.slice(0, 80)}`;
  return "item" in event ? `${event.type} ${event.item.type}` : event.type;
}
