/** `0.4 s`, `3 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `running`, `running for 12 s`. It changes once a second. Null: the start is unknown. */
export function formatRunning(ms: number | null): string {
  return ms === null || ms < 1000 ? "running" : `running for ${formatDuration(Math.floor(ms / 1000) * 1000)}`;
}
