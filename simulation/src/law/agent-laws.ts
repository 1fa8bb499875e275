import type { LawBook } from "./law-book.ts";
import { type BudgetLaw, watchBudget } from "./turn-laws.ts";

/** The laws of sub-agents that hold between requests and files, checked as each request comes. */
export interface AgentLaws {
  /** A process starts, with these limits. */
  begin(limits: AgentLimits): void;
  /** This thread is nobody's sub-agent. */
  own(threadId: string): void;
  /** Calls `look` at each request of the process, when it may have another sub-agent. */
  onRequest(look: () => void): void;
  /** The model or the program gives a task. */
  given(task: string, bounds: AgentBounds): void;
  /** Its bounds, with those of the threads above it. */
  boundsOf(threadId: string): AgentBounds;
  /** Its own budget, to be asked when its thread opens: it continues with what it had spent, through all processes. */
  budgetOf(threadId: string): BudgetLaw;
  /** A turn of it begins or ends. Nobody knows what one had spent that was cut off with its process. */
  works(threadId: string, isWorking: boolean): void;
  /** Whether a turn of it runs in this process. */
  isWorking(threadId: string): boolean;
  /** A script or file with this number is the thread's. */
  wrote(threadId: string, number: number): void;
  /** Whether a script or a file of this number may happen only after an approval. */
  mustAsk(number: number, what: "command" | "patch"): boolean;
  check(request: AgentRequest): void;
}

export interface AgentLimits {
  readonly maxThreads: number;
  readonly maxDepth: number;
  readonly maxTokens: number;
}

interface AgentRequest {
  readonly threadId: string;
  readonly body: Buffer;
  /** Whether it still waits for its answer. */
  readonly isWaiting: () => boolean;
}

/** The bounds of a sub-agent by its task and role. */
export interface AgentBounds {
  /** Its only tools; null: all. */
  readonly only: readonly string[] | null;
  /** The tools that it does not get. */
  readonly without: readonly string[];
  readonly isReadOnly: boolean;
  /** Whether it asks before each command and patch. */
  readonly isAsking: boolean;
  /** How many requests it may make, with those below it; null: any number. */
  readonly maxSteps: number | null;
}

interface AgentFacts extends AgentBounds {
  /** The thread at the top of its tree. */
  readonly root: string;
  readonly depth: number;
}

const unbound: AgentBounds = { only: null, without: [], isReadOnly: false, isAsking: false, maxSteps: null };

/** A task as the model gives it: it is made once. */
const taskMark = /task-\d+\./;

export function createAgentLaws(book: LawBook, bytesOf: (threadId: string) => Buffer): AgentLaws {
  let limits: AgentLimits = { maxThreads: 0, maxDepth: 0, maxTokens: 0 };
  const known = new Map<string, AgentFacts>();
  /** The bounds of each task, and the thread that works on it. */
  const tasks = new Map<string, { readonly bounds: AgentBounds; thread: string | null }>();
  const asking = new Map<string, () => boolean>();
  const budgets = new Map<string, BudgetLaw>();
  const working = new Set<string>();
  const authors = new Map<number, string>();
  const looks = new Set<() => void>();

  /** The parent's file has it before its first request. */
  function meet({ threadId, body }: AgentRequest): AgentFacts {
    const parent = [...known.keys()].find((id) => bytesOf(id).includes(`"childId":"${threadId}"`));
    if (parent === undefined) book.breach(`a sub-agent asks before its parent has recorded it: ${threadId}`);
    else checkCalls(parent);
    const task = taskMark.exec(body.toString("latin1"))?.[0] ?? "";
    const given = tasks.get(task);
    if (given === undefined) book.breach(`a sub-agent works on no task: ${threadId}`);
    else if (given.thread !== null) book.breach(`two sub-agents work on one task: ${task}`);
    else given.thread = threadId;
    const above = known.get(parent ?? "") ?? { root: threadId, depth: 0, ...unbound };
    const facts = { root: above.root, depth: above.depth + 1, ...meetBounds(given?.bounds ?? unbound, above) };
    known.set(threadId, facts);
    return facts;
  }

  /** One sub-agent for a call. */
  function checkCalls(parent: string): void {
    const lines =
      bytesOf(parent)
        .toString("latin1")
        .match(/"type":"agent\.started","callId":"[^"]+"/g) ?? [];
    if (new Set(lines).size < lines.length) book.breach(`a call has started two sub-agents of ${parent}`);
  }

  return {
    begin(next) {
      limits = next;
      asking.clear();
      looks.clear();
      for (const id of working) budgets.delete(id);
      working.clear();
    },
    own: (threadId) => void known.set(threadId, { root: threadId, depth: 0, ...unbound }),
    onRequest: (look) => void looks.add(look),
    given: (task, bounds) => void tasks.set(task, { bounds, thread: null }),
    boundsOf: (threadId) => known.get(threadId) ?? unbound,
    budgetOf(threadId) {
      const own = {
        get maxSteps() {
          return known.get(threadId)?.maxSteps ?? null; // its first request tells its task
        },
        maxTokens: limits.maxTokens,
        maxCost: null,
      };
      const budget = watchBudget(book, own, budgets.get(threadId)?.spent);
      budgets.set(threadId, budget);
      return budget;
    },
    works: (threadId, isWorking) => void (isWorking ? working.add(threadId) : working.delete(threadId)),
    isWorking: (threadId) => working.has(threadId),
    wrote: (threadId, number) => void authors.set(number, threadId),
    mustAsk(number, what) {
      const { isAsking, isReadOnly } = known.get(authors.get(number) ?? "") ?? unbound;
      return isAsking || (what === "patch" && isReadOnly);
    },
    check(request) {
      const { threadId, body, isWaiting } = request;
      for (const look of looks) look();
      const { root, depth, only, without } = known.get(threadId) ?? meet(request);
      if (depth === 0) return;
      if (depth > limits.maxDepth) book.breach(`a sub-agent works ${depth} deep: ${threadId}`);
      const more = listTools(body).filter((name) => without.includes(name) || only?.includes(name) === false);
      if (more.length > 0) book.breach(`a sub-agent has tools that its task does not give: ${more.join(", ")}`);
      asking.set(threadId, isWaiting);
      const atOnce = [...asking].filter(([id, waits]) => waits() && known.get(id)?.root === root).length;
      if (atOnce > limits.maxThreads) book.breach(`${atOnce} sub-agents work at the same time`);
    },
  };
}

/** The bounds of a task, within those of the thread that gives it. The steps of a thread above count in its own budget. */
function meetBounds(own: AgentBounds, above: AgentBounds): AgentBounds {
  const { only } = above;
  return {
    only: own.only === null || only === null ? (own.only ?? only) : own.only.filter((name) => only.includes(name)),
    without: [...own.without, ...above.without],
    isReadOnly: own.isReadOnly || above.isReadOnly,
    isAsking: own.isAsking || above.isAsking,
    maxSteps: own.maxSteps,
  };
}

/** The names of a request's tools. */
function listTools(body: Buffer): readonly string[] {
  const head = body.toString("latin1", body.indexOf('"tools":['), body.indexOf('"input":['));
  return head.match(/(?<="name":")[^"]+(?=")/g) ?? [];
}
