/**
 * Calls `run` after `ms`, once everything that had arrived by then was read: on a busy machine we
 * may be late ourselves. Returns a function that cancels it.
 */
export function startPatience(ms: number, run: () => void): () => void {
  let turn: NodeJS.Immediate | null = null;
  const timer = setTimeout(() => (turn = setImmediate(run)), ms);
  return () => {
    clearTimeout(timer);
    if (turn !== null) clearImmediate(turn);
  };
}
