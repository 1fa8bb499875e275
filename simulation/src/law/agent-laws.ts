import type { LawBook } from "./law-book.ts";

/** The laws of sub-agents that hold between requests and files, checked as each request comes. */
export interface AgentLaws {
  /** A process starts, with these limits. Null: sub-agents are switched off. */
  begin(limits: AgentLimits | null): void;
  /** This thread is nobody's sub-agent. */
  own(threadId: string): void;
  /** Calls `look` at each request of the process, when it may have another sub-agent. */
  onRequest(look: () => void): void;
  /** The model gives a task. */
  given(task: string, bounds: AgentBounds): void;
  /** Whether its task says that it changes no files. */
  isReadOnly(threadId: string): boolean;
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

/** The bounds of a sub-agent that its task names. */
export interface AgentBounds {
  /** Its only tools; null: all. */
  readonly only: readonly string[] | null;
  readonly isReadOnly: boolean;
}

interface AgentFacts extends AgentBounds {
  /** The thread at the top of its tree. */
  readonly root: string;
  readonly depth: number;
}

const unbound: AgentBounds = { only: null, isReadOnly: false };

/** A task as the model gives it: it is made once. */
const taskMark = /task-\d+\./;

export function createAgentLaws(book: LawBook, bytesOf: (threadId: string) => Buffer): AgentLaws {
  let limits: AgentLimits | null = null;
  const known = new Map<string, AgentFacts>();
  /** The bounds of each task, and the thread that works on it. */
  const tasks = new Map<string, { readonly bounds: AgentBounds; thread: string | null }>();
  const asking = new Map<string, () => boolean>();
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
    const above = known.get(parent ?? "");
    const facts = { root: above?.root ?? threadId, depth: 1 + (above?.depth ?? 0), ...(given?.bounds ?? unbound) };
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
    },
    own: (threadId) => void known.set(threadId, { root: threadId, depth: 0, ...unbound }),
    onRequest: (look) => void looks.add(look),
    given: (task, bounds) => void tasks.set(task, { bounds, thread: null }),
    isReadOnly: (threadId) => known.get(threadId)?.isReadOnly === true,
    check(request) {
      const { threadId, body, isWaiting } = request;
      for (const look of looks) look();
      const { root, depth, only } = known.get(threadId) ?? meet(request);
      if (depth === 0) return;
      if (depth > (limits?.maxDepth ?? 0)) book.breach(`a sub-agent works ${depth} deep: ${threadId}`);
      const more = only === null ? [] : listTools(body).filter((name) => !only.includes(name));
      if (more.length > 0) book.breach(`a sub-agent has tools that its task does not give: ${more.join(", ")}`);
      asking.set(threadId, isWaiting);
      const working = [...asking].filter(([id, waits]) => waits() && known.get(id)?.root === root).length;
      if (working > (limits?.maxThreads ?? 0)) book.breach(`${working} sub-agents work at the same time`);
    },
  };
}

/** The names of a request's tools. */
function listTools(body: Buffer): readonly string[] {
  const head = body.toString("latin1", body.indexOf('"tools":['), body.indexOf('"input":['));
  return head.match(/(?<="name":")[^"]+(?=")/g) ?? [];
}
