/** The sub-agents of all threads below one that nobody's sub-agent is, counted together. */
export interface AgentTree {
  /** How many threads are above the thread; 0: it is nobody's sub-agent. */
  readonly depth: number;
  /** Shared by the tree. */
  readonly count: AgentCount;
}

interface AgentCount {
  running: number;
  /** The threads of all that were ever started, as far as they are known here. */
  readonly started: Set<string>;
  /** How many are being opened and have no id yet. */
  starting: number;
}

/** The tree that begins with a thread. */
export function createAgentTree(): AgentTree {
  return { depth: 0, count: { running: 0, started: new Set(), starting: 0 } };
}
