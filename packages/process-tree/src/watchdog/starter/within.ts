/** What a promise resolves to; null: it has not by then. Where it is we who are late, what lies here unread is read first. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | null> {
  const patience = Promise.withResolvers<null>();
  const timer = setTimeout(() => setImmediate(patience.resolve, null), ms);
  try {
    return await Promise.race([promise, patience.promise]);
  } finally {
    clearTimeout(timer);
  }
}
