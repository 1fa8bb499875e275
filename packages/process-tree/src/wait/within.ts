import { startPatience } from "./start-patience.ts";

/**
 * The promise's value. Null: it has not resolved after `ms`, and everything that had arrived by
 * then was read.
 */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | null> {
  const over = Promise.withResolvers<null>();
  const cancel = startPatience(ms, () => over.resolve(null));
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    cancel();
  }
}
