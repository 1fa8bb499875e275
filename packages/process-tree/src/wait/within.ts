import { startPatience } from "./start-patience.ts";

/** What a promise resolves to; null: it has not when `ms` have passed and what came by then was read. */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | null> {
  const over = Promise.withResolvers<null>();
  const cancel = startPatience(ms, () => over.resolve(null));
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    cancel();
  }
}
