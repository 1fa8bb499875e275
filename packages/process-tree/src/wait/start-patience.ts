/**
 * Calls `run` when `ms` have passed and what lies here unread by then was read: on a busy machine it may be we who are late, and
 * not whoever is waited for. Gives what cancels it.
 */
export function startPatience(ms: number, run: () => void): () => void {
  let turn: NodeJS.Immediate | null = null;
  const timer = setTimeout(() => (turn = setImmediate(run)), ms);
  return () => {
    clearTimeout(timer);
    if (turn !== null) clearImmediate(turn);
  };
}
