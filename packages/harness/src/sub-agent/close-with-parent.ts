/** What can be closed, and says when it is: a thread. */
interface Closing extends AsyncDisposable {
  /** Calls back once, and waits for it; returns what takes it back. */
  onClose(listener: () => void | Promise<void>): () => void;
}

/** Closes the thread of a sub-agent when its opener's closes, unless it closed before. */
export function closeWithParent(thread: Closing, parent: Closing): void {
  thread.onClose(parent.onClose(async () => thread[Symbol.asyncDispose]()));
}
