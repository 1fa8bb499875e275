import type { Chance } from "../create-chance.ts";
import { KilledError } from "../simulated-process.ts";
import { restoreKeys } from "./boot.ts";
import type { ConfigChoice } from "./load-configs.ts";
import { followTurn, type TurnPlan } from "./follow-turn.ts";
import { LiveProgram, type Scene } from "./live-program.ts";
import { LiveThread } from "./live-thread.ts";
import { spawnAgent, tendAgent } from "./program-agents.ts";

/** The result of one thread. */
export interface PlayedThread {
  /** How often it was opened, resumed or forked. */
  readonly threads: number;
  readonly turns: number;
  readonly kills: number;
}

/** Does many things to one or two threads of a program, through any number of processes, and brings them to a good end. */
export async function playThread(scene: Scene): Promise<PlayedThread> {
  const { world, book } = scene;
  const { chance } = world;
  const program = new LiveProgram(scene);
  const first = new LiveThread(scene, program);
  const lives: readonly [LiveThread, ...LiveThread[]] = chance.happens(0.2)
    ? [first, new LiveThread(scene, program)]
    : [first];
  let [turns, kills] = [0, 0];
  // Half of them have servers from the start, and a third sub-agents: the others come to some, if ever, when not much is left of the thread.
  const servers = chance.happens(0.5) ? 1 + chance.below(2) : 0;
  const agents = chance.happens(0.35) ? chooseAgents(chance) : null;
  if (servers > 0) program.choice = { ...choose(chance), servers };
  program.choice = { ...program.choice, agents };

  /** Whether it was not killed, nor refused. */
  async function survive(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof KilledError) {
        kills += 1;
        await program.forget();
        world.approvals.forgetRefusals();
        restoreKeys(world);
      } else judgeError(scene, error, program.isCalm);
    }
  }

  for (let acts = 3 + chance.below(6); acts > 0; acts--) {
    await survive(async () => {
      turns += await playAct(scene, lives);
    });
  }
  book.note("from here on nothing fails");
  world.heal();
  program.isCalm = true;
  program.choice = { ...program.choice, maxSteps: null, maxTimeMs: null, maxTokens: null, maxCost: null };
  await survive(() => program.close());
  await survive(async () => {
    await runAll(scene, lives, false);
    await program.close();
    for (const live of lives) await live.check();
  });
  const threads = lives.reduce((sum, { opened }) => sum + opened, 0);
  return { threads, turns: turns + lives.length, kills };
}

/** Runs a turn of each of the program's threads in `lives`, side by side. All have ended when it returns or throws. */
async function runAll(scene: Scene, lives: readonly LiveThread[], isAlone: boolean): Promise<void> {
  const ends = await Promise.allSettled(lives.map((live) => runTurn(scene, live, isAlone)));
  const failed = ends.filter((end) => end.status === "rejected");
  const worst = failed.find(({ reason }) => reason instanceof KilledError) ?? failed[0];
  if (worst !== undefined) throw worst.reason;
}

/** A refusal has a code; whatever else is thrown is a bug. */
function judgeError({ book }: Scene, error: unknown, isCalm: boolean): void {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  if (code !== null && !isCalm) book.note(`refused: ${code}`);
  else book.breach(`a bug is thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** How many turns that was. */
async function playAct(scene: Scene, lives: readonly [LiveThread, ...LiveThread[]]): Promise<number> {
  const { chance, setDocument } = scene.world;
  const act = chance.pick(
    "run",
    "run",
    "run",
    "run",
    "compact",
    "undo",
    "fork",
    "change",
    "resume",
    "document",
    "agent",
  );
  scene.book.note(`act: ${act}`);
  const live = chance.pick(...lives);
  const { program } = live;
  switch (act) {
    case "run": {
      const running = chance.happens(0.5) ? [live] : lives;
      await runAll(scene, running, lives.length === 1);
      return running.length;
    }
    case "compact":
      return compact(scene, live);
    case "undo": {
      const { process, thread } = await live.open();
      await process.outlive(thread.undoCompaction());
      return 0;
    }
    case "fork":
      await live.fork();
      return 0;
    case "change": {
      const { thread } = await live.open();
      thread.change(
        chance.pick({ reasoningEffort: "low" }, { reasoningEffort: "high" }, { cwd: "/sub" }, { cwd: "/" }),
      );
      return 0;
    }
    case "resume": {
      const { agents } = program.choice;
      await program.close();
      program.choice = { ...choose(chance), agents: agents && chance.pick(agents, agents, chooseAgents(chance), null) };
      return 0;
    }
    case "agent": {
      const running = await live.open();
      await chance.pick(spawnAgent, tendAgent)(scene, running);
      return 0;
    }
    case "document":
      setDocument(chance.pick(null, "Use tabs.", "Use spaces."));
      return 0;
  }
}

function chooseAgents(chance: Chance): ConfigChoice["agents"] {
  return {
    maxThreads: chance.pick(1, 2, 4),
    maxDepth: chance.pick(1, 1, 2),
    maxTokens: chance.pick(2_000_000, 2_000_000, 9000),
  };
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
    agents: null,
  };
}

/** `isAlone`: no other thread has its rules. */
async function runTurn(scene: Scene, live: LiveThread, isAlone: boolean): Promise<void> {
  const { world, book, laws, count } = scene;
  const { chance } = world;
  const running = await live.open();
  const { thread } = running;
  const said = `say-${count()}.`;
  const stop = new AbortController();
  const isPlain = live.program.isCalm;
  const plan = {
    steerAt: !isPlain && chance.happens(0.4) ? chance.below(12) : null,
    tightenAt: !isPlain && isAlone && chance.happens(0.1) ? chance.below(20) : null,
    agentAt: !isPlain && chance.happens(0.15) ? chance.below(20) : null,
    endAt: !isPlain && chance.happens(0.3) ? chance.below(25) : null,
    end: chance.pick<TurnPlan["end"]>("interrupt", "interrupt", "leave", "close"),
    stop,
  };
  const checkHeard = live.takeSent();
  world.onInterrupt(() => stop.abort());
  const asksAgain = thread.waitingCalls.length > 0 && chance.happens(0.7);
  const events = thread.run(asksAgain ? [] : said, { signal: stop.signal });
  const followed = await followTurn(scene, live, { events, plan, running });
  if (followed?.outcome.type === "completed") {
    checkHeard();
    const answers = /answer-\d+\./.exec(followed.outcome.finalMessage ?? "") ?? [];
    if (!followed.isUnsaved && !asksAgain) laws.keep(thread.id, { said, answers });
  } else if (isPlain) book.breach(`nothing fails any more, but the turn: ${JSON.stringify(followed?.outcome)}`);
}

async function compact(scene: Scene, live: LiveThread): Promise<number> {
  const running = await live.open();
  const { thread } = running;
  const stop = new AbortController();
  const events = thread.compact({ signal: stop.signal });
  const endAt = scene.world.chance.happens(0.2) ? scene.world.chance.below(4) : null;
  const plan = { steerAt: null, tightenAt: null, agentAt: null, endAt, end: "interrupt", stop } as const;
  await followTurn(scene, live, { events, plan, running });
  return 1;
}
