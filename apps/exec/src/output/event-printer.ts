import type { ThreadEvent } from "@unroll/protocol";

/** Shows a thread's events to whoever started us. */
export interface EventPrinter {
  print(event: ThreadEvent): Promise<void>;
}
