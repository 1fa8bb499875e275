import type { ForkOrigin } from "@unroll/protocol";

/** Says of which thread another one is a copy, and from which turn on: "copy of ID after turn 3". `name`: the name of that thread; null: its id. */
export function describeFork(
  { threadId, turns }: Pick<ForkOrigin, "threadId" | "turns">,
  name: string | null = null,
): string {
  const origin = name ?? threadId;
  return turns === null ? `copy of ${origin}` : `copy of ${origin} after turn ${turns}`;
}
