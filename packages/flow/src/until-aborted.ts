/** What a promise resolves to; null as soon as the signal aborts, whatever comes of the promise then. Rejects as it does. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  promise.catch(() => {}); // nobody waits for it after an abort
  if (signal.aborted) return null;
  const aborted = Promise.withResolvers<null>();
  const abort = (): void => aborted.resolve(null);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
