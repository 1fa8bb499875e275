import type { StoredThread } from "@unroll/protocol";

/** Where a thread of a host comes from. `isEphemeral`: it is kept nowhere. */
export type ThreadOrigin =
  | { readonly type: "new"; readonly isEphemeral: boolean }
  /** It goes on. */
  | { readonly type: "resumed"; readonly stored: StoredThread }
  /** A new one begins as that one did. `turns`: with how many of its first turns; null: with all. */
  | {
      readonly type: "forked";
      readonly stored: StoredThread;
      readonly turns: number | null;
      readonly isEphemeral: boolean;
    };
