import type { StoredThread } from "@unroll/protocol";

/** Where a thread of a front end comes from. `isEphemeral`: it is kept nowhere. */
export type ServedOrigin =
  /** `id`: of one that was opened before and in which nothing was said. Absent: a new one. */
  | { readonly type: "new"; readonly isEphemeral: boolean; readonly id?: string }
  /** It goes on. */
  | { readonly type: "resumed"; readonly stored: StoredThread }
  /** A new one begins as that one did. `turns`: with how many of its first turns; null: with all. */
  | {
      readonly type: "forked";
      readonly stored: StoredThread;
      readonly turns: number | null;
      readonly isEphemeral: boolean;
    };
