import { forEach } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import { type AgentProgress, type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import type { AgentLaws } from "../law/agent-laws.ts";
import type { LawBook } from "../law/law-book.ts";
import { type BudgetLaw, watchBudget, watchTurn } from "../law/turn-laws.ts";
import type { SimulatedProcess } from "../simulated-process.ts";
import type { Scene } from "./live-program.ts";
import type { ConfigChoice } from "./load-configs.ts";

/** A thread in one process, with all sub-agents below it. */
export interface Family {
  /** A turn of the thread has ended: of its sub-agents, only those run on that the model or the program knows to run. */
  endTurn(outcome: TurnOutcome): Promise<void>;
  /** The program knows that this sub-agent runs. Its result has to come before all are closed. */
  knows(agent: { readonly id: string; readonly result?: Promise<unknown> }): void;
  /** Resolves when all of them are closed: the sum of their turns is what the thread's budget spent. */
  check(): Promise<void>;
}

export interface FamilyRoot {
  readonly thread: Thread;
  readonly process: SimulatedProcess;
  readonly choice: ConfigChoice;
}

const noLimits = { maxSteps: null, maxTokens: null, maxCost: null } as const;
const reportedThread = /(?<=\(thread )[0-9a-f-]{36}(?=\))/g;

/** Reads the events of a thread and of its sub-agents, and checks the laws that hold between them. */
export function followFamily({ book, world, agents }: Scene, { thread: root, process, choice }: FamilyRoot): Family {
  const before = root.budget.spent.tokens;
  /** With the budgets of each. */
  const met = new Map<Thread, readonly (() => BudgetLaw)[]>();
  const readers: Promise<void>[] = [];
  /** The threads of sub-agents that outputs of calls name, or that the program started. */
  const reported = new Set<string>();
  const results = followResults(book);
  /** The use of all turns. */
  let tokens = 0;
  /** The budget of the root's running turn. */
  let budget: BudgetLaw = watchBudget(book, noLimits);

  /** A turn of a thread of the tree has ended. */
  function expectEnds(parent: Thread, isInterrupted = false): void {
    for (const id of listRunning(parent)) {
      if (isInterrupted) book.breach(`a sub-agent works on after an interruption: ${id}`);
      else if (!reported.has(id)) book.breach(`a sub-agent works on after the turn, and no call says so: ${id}`);
    }
  }

  function meetAll(): void {
    for (const [parent, budgets] of met) {
      for (const { thread_id: id } of parent.agents.list()) {
        const child = parent.agents.find(id);
        if (child === null || met.has(child)) continue;
        const own = agents.budgetOf(id);
        follow(child, [...budgets, () => own], watchAgent(child));
      }
    }
  }

  /** `budgets`: all that pay for it. */
  function follow(thread: Thread, budgets: readonly (() => BudgetLaw)[], see: (event: ThreadEvent) => void): void {
    met.set(thread, budgets);
    readers.push(
      forEach(thread.events(), async ({ event, turnId }) => {
        meetAll();
        const moment = process.clock.elapsed();
        if (event.type === "request.started") for (const budget of budgets) budget().ask(moment);
        if (event.type === "request.completed") for (const budget of budgets) budget().spend(event.usage, moment);
        if (event.type === "turn.completed" || event.type === "turn.failed")
          tokens += event.usage.input_tokens + event.usage.output_tokens;
        if ("item" in event && event.item.type === "tool_call")
          for (const id of event.item.output?.match(reportedThread) ?? []) reported.add(id);
        if (thread === root || turnId !== null) see(event);
      }),
    );
  }

  function seeRoot(event: ThreadEvent): void {
    if (event.type === "turn.started") budget = watchBudget(book, choice);
    if (event.type === "turn.completed" || event.type === "turn.failed") budget = watchBudget(book, noLimits);
  }

  /** One that runs. */
  function watchAgent(child: Thread): (event: ThreadEvent) => void {
    const begin = (): ReturnType<typeof watchTurn> =>
      watchTurn(book, { secrets: Object.values(world.keys), limits: noLimits, onPatch: world.onPatch });
    let watch = begin();
    return (event) => {
      if (event.type === "turn.started") {
        watch = begin();
        if (process.isAlive) agents.works(child.id, true); // an event may be read behind the kill
      }
      watch.take(event);
      if (event.type !== "turn.completed" && event.type !== "turn.failed") return;
      watch.end();
      agents.works(child.id, false);
      expectEnds(child);
    };
  }

  follow(root, [() => budget], seeRoot);
  agents.onRequest(meetAll);
  return {
    async endTurn({ type }) {
      await process.wait(0); // its events were read
      expectEnds(root, type === "interrupted");
      for (const thread of met.keys()) checkStates(thread, book, agents);
    },
    knows({ id, result }) {
      reported.add(id);
      if (result !== undefined) results.expect(id, result);
    },
    async check() {
      await Promise.all(readers);
      results.check();
      const spent = root.budget.spent.tokens - before;
      if (spent !== tokens) book.breach(`the tree spent ${spent} tokens, and its turns used ${tokens}`);
    },
  };
}

/** The sub-agents that are listed as running are those that run: a kill takes all along, so no others until they continue. */
export function checkStates({ agents }: Thread, book: LawBook, laws: AgentLaws): void {
  for (const progress of agents.list()) {
    const { thread_id: id, state } = progress;
    const isOpen = agents.find(id) !== null;
    if (state !== "running" && laws.isWorking(id)) book.breach(`a sub-agent that is ${state} works: ${id}`);
    // nothing below one that is closed runs
    const idle = isOpen ? [] : [progress, ...listBelow(progress)].filter((each) => each.state === "running");
    for (const each of idle) book.breach(`nothing runs a sub-agent that is running: ${each.thread_id}`);
  }
}

function listBelow({ agents = [] }: AgentProgress): readonly AgentProgress[] {
  return agents.flatMap((agent) => [agent, ...listBelow(agent)]);
}

function listRunning({ agents }: Thread): readonly string[] {
  const running = agents.list().filter(({ thread_id: id, state }) => state === "running" && agents.find(id) !== null);
  return running.map(({ thread_id: id }) => id);
}

/** Waits for the results of the sub-agents that the program started. */
function followResults(book: Scene["book"]): { expect(id: string, result: Promise<unknown>): void; check(): void } {
  const missing = new Set<string>();
  return {
    expect(id, result) {
      missing.add(id);
      const end = (how: string): void => {
        missing.delete(id);
        book.note(`result of ${id}: ${how}`);
      };
      result.then(
        () => end("completed"),
        (error: unknown) => end(error instanceof Error ? error.name : "aborted"),
      );
    },
    check() {
      for (const id of missing) book.breach(`a sub-agent of the program has no result: ${id}`);
    },
  };
}
