import { forEach } from "@unroll/flow";
import type { Thread } from "@unroll/harness";
import { type ThreadEvent, type TurnOutcome } from "@unroll/protocol";
import { type BudgetLaw, watchBudget, watchTurn } from "../law/turn-laws.ts";
import type { SimulatedProcess } from "../simulated-process.ts";
import type { Scene } from "./live-program.ts";
import type { ConfigChoice } from "./load-configs.ts";

/** A thread in one process, with all sub-agents below it. */
export interface Family {
  /** A turn of the thread has ended: of its sub-agents, only those run on that the model knows to run. */
  endTurn(outcome: TurnOutcome): Promise<void>;
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
  const met = new Set<Thread>();
  const readers: Promise<void>[] = [];
  /** The threads of sub-agents that outputs of calls name. */
  const reported = new Set<string>();
  /** The use of all turns. */
  let tokens = 0;
  /** The budget of the root's running turn. */
  let budget: BudgetLaw = watchBudget(book, noLimits);

  function meetAll(): void {
    for (const parent of met) {
      for (const { thread_id: id } of parent.agents.list()) {
        const child = parent.agents.find(id);
        if (child !== null && !met.has(child)) follow(child, watchAgent(id));
      }
    }
  }

  function follow(thread: Thread, see: (event: ThreadEvent) => void): void {
    met.add(thread);
    readers.push(
      forEach(thread.events(), async ({ event, turnId }) => {
        meetAll();
        const moment = process.clock.elapsed();
        if (event.type === "request.started") budget.ask(moment);
        if (event.type === "request.completed") budget.spend(event.usage, moment);
        if (event.type === "turn.completed" || event.type === "turn.failed")
          tokens += event.usage.input_tokens + event.usage.output_tokens;
        if (thread === root || turnId !== null) see(event);
      }),
    );
  }

  function seeRoot(event: ThreadEvent): void {
    if (event.type === "turn.started") budget = watchBudget(book, choice);
    if (event.type === "turn.completed" || event.type === "turn.failed") budget = watchBudget(book, noLimits);
    if ("item" in event && event.item.type === "tool_call")
      for (const id of event.item.output?.match(reportedThread) ?? []) reported.add(id);
  }

  /** One that runs. */
  function watchAgent(id: string): (event: ThreadEvent) => void {
    const own = watchBudget(book, { ...noLimits, maxTokens: choice.agents?.maxTokens ?? null });
    const secrets = Object.values(world.keys);
    const onPatch = (path: string): void => {
      world.onPatch(path);
      if (agents.isReadOnly(id)) world.approvals.happened(path, true);
    };
    const begin = (): ReturnType<typeof watchTurn> => watchTurn(book, { secrets, limits: noLimits, onPatch });
    let [watch, moment] = [begin(), 0];
    return (event) => {
      moment += 1;
      if (event.type === "request.started") own.ask(moment);
      if (event.type === "request.completed") own.spend(event.usage, moment);
      if (event.type === "turn.started") watch = begin();
      watch.take(event);
      if (event.type === "turn.completed" || event.type === "turn.failed") watch.end();
    };
  }

  follow(root, seeRoot);
  agents.onRequest(meetAll);
  return {
    async endTurn({ type }) {
      await process.wait(0); // its events were read
      const running = root.agents.list().filter(({ thread_id: id, state }) => {
        return state === "running" && root.agents.find(id) !== null;
      });
      for (const { thread_id: id } of running) {
        if (type === "interrupted") book.breach(`a sub-agent works on after an interruption: ${id}`);
        else if (!reported.has(id)) book.breach(`a sub-agent works on after the turn, and no call says so: ${id}`);
      }
    },
    async check() {
      await Promise.all(readers);
      const spent = root.budget.spent.tokens - before;
      if (spent !== tokens) book.breach(`the tree spent ${spent} tokens, and its turns used ${tokens}`);
    },
  };
}
