import type { Chance } from "../create-chance.ts";
import { KilledError } from "../simulated-process.ts";
import { restoreKeys } from "./boot.ts";
import type { ConfigChoice } from "./load-configs.ts";
import { followTurn, type TurnPlan } from "./follow-turn.ts";
import { LiveThread, type Scene } from "./live-thread.ts";

/** The result of one thread. */
export interface PlayedThread {
  /** How often it was opened, resumed or forked. */
  readonly threads: number;
  readonly turns: number;
  readonly kills: number;
}

/** Does many things to one thread, through any number of processes, and brings it to a good end. */
export async function playThread(scene: Scene): Promise<PlayedThread> {
  const live = new LiveThread(scene);
  const { world, book } = scene;
  let [turns, kills] = [0, 0];
  // Half of them have servers from the start: the others come to some, if ever, when not much is left of the thread.
  if (world.chance.happens(0.5)) live.choice = { ...choose(world.chance), servers: 1 + world.chance.below(2) };

  /** Whether it was not killed, nor refused. */
  async function survive(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof KilledError) {
        kills += 1;
        live.forget();
        restoreKeys(world);
      } else judgeError(scene, error, live.isCalm);
    }
  }

  for (let acts = 3 + world.chance.below(6); acts > 0; acts--) {
    await survive(async () => {
      turns += (await playAct(scene, live)) ? 1 : 0;
    });
  }
  book.note("from here on nothing fails");
  world.heal();
  live.isCalm = true;
  live.choice = { ...live.choice, maxSteps: null, maxTimeMs: null, maxTokens: null, maxCost: null };
  await survive(() => live.close());
  await survive(async () => {
    await runTurn(scene, live);
    await live.close();
    await live.check();
  });
  return { threads: live.opened, turns: turns + 1, kills };
}

/** A refusal has a code; whatever else is thrown is a bug. */
function judgeError({ book }: Scene, error: unknown, isCalm: boolean): void {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null && !isCalm) book.note(`refused: ${code}`);
  else book.breach(`a bug is thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** Whether that was a turn. */
async function playAct(scene: Scene, live: LiveThread): Promise<boolean> {
  const { chance, setDocument } = scene.world;
  const act = chance.pick("run", "run", "run", "run", "compact", "undo", "fork", "change", "resume", "document");
  scene.book.note(`act: ${act}`);
  switch (act) {
    case "run":
      return runTurn(scene, live);
    case "compact":
      return compact(scene, live);
    case "undo": {
      const { process, thread } = await live.open();
      await process.outlive(thread.undoCompaction());
      return false;
    }
    case "fork":
      await live.fork();
      return false;
    case "change": {
      const { thread } = await live.open();
      thread.change(
        chance.pick({ reasoningEffort: "low" }, { reasoningEffort: "high" }, { cwd: "/sub" }, { cwd: "/" }),
      );
      return false;
    }
    case "resume":
      await live.close();
      live.choice = choose(chance);
      return false;
    case "document":
      setDocument(chance.pick(null, "Use tabs.", "Use spaces."));
      return false;
  }
}

/** A config at random. */
function choose(chance: Chance): ConfigChoice {
  return {
    model: chance.pick("gpt-5-codex", "gpt-5-codex", "gpt-5"),
    fallbacks: chance.pick<ConfigChoice["fallbacks"]>(
      [],
      ["gpt-5"],
      ["spare-model"],
      ["gpt-5", "spare-model", "gpt-5-codex"],
    ),
    shellTool: chance.pick("shell_command", "shell_command", "exec_command"),
    instructions: chance.pick(null, null, "Be kind."),
    limit: chance.pick(null, 12_000),
    maxSteps: chance.pick(null, null, 2),
    maxTimeMs: chance.pick(null, null, 60_000),
    maxTokens: chance.pick(null, null, null, 9000),
    maxCost: chance.pick(null, null, null, 0.02),
    servers: chance.pick(0, 0, 1, 2),
    approvalPolicy: chance.pick("never", "on-request", "untrusted", "untrusted"),
    mcpMode: chance.pick("auto", "auto", "writes", "prompt", "approve"),
    mcpWriteMode: chance.pick(null, null, "auto", "writes", "prompt", "approve"),
  };
}

async function runTurn(scene: Scene, live: LiveThread): Promise<boolean> {
  const { world, book, laws, count } = scene;
  const { chance } = world;
  const { thread } = await live.open();
  const said = `say-${count()}.`;
  const stop = new AbortController();
  const isPlain = live.isCalm;
  const plan = {
    steerAt: !isPlain && chance.happens(0.4) ? chance.below(12) : null,
    endAt: !isPlain && chance.happens(0.3) ? chance.below(25) : null,
    end: chance.pick<TurnPlan["end"]>("interrupt", "interrupt", "leave", "close"),
    stop,
  };
  const checkHeard = live.takeSent();
  world.onInterrupt(() => stop.abort());
  const asksAgain = thread.waitingCalls.length > 0 && chance.happens(0.7);
  const events = thread.run(asksAgain ? [] : said, { signal: stop.signal });
  const followed = await followTurn(scene, live, { events, plan });
  if (followed?.outcome.type === "completed") {
    checkHeard();
    const answers = /answer-\d+\./.exec(followed.outcome.finalMessage ?? "") ?? [];
    if (!followed.isUnsaved && !asksAgain) laws.keep(thread.id, { said, answers });
  } else if (isPlain) book.breach(`nothing fails any more, but the turn: ${JSON.stringify(followed?.outcome)}`);
  return true;
}

async function compact(scene: Scene, live: LiveThread): Promise<boolean> {
  const { thread } = await live.open();
  const stop = new AbortController();
  const events = thread.compact({ signal: stop.signal });
  const endAt = scene.world.chance.happens(0.2) ? scene.world.chance.below(4) : null;
  const plan = { steerAt: null, endAt, end: "interrupt", stop } as const;
  await followTurn(scene, live, { events, plan });
  return true;
}
