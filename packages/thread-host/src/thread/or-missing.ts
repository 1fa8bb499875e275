import type { StoredThread } from "@unroll/protocol";

/** Null: nothing is kept of it, since nothing was said in it. */
export async function orMissing(loaded: Promise<StoredThread>): Promise<StoredThread | null> {
  try {
    return await loaded;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "thread_missing") return null;
    throw error;
  }
}
