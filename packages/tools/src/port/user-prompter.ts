/** Puts questions to the person at the terminal. Implemented by the app; only interactive ones have one. */
export interface UserPrompter {
  /** Waits for all answers. Rejects with the signal's reason when the turn is interrupted. */
  ask(questions: readonly UserQuestion[], signal: AbortSignal): Promise<UserReply>;
}

export interface UserQuestion {
  /** Tells the answers apart; unique among the questions. */
  readonly id: string;
  /** A few words to put above it. */
  readonly header: string;
  readonly question: string;
  /** 2 to 4. A person may also answer in their own words. */
  readonly options: readonly UserOption[];
}

export interface UserOption {
  /** Unique in its question. */
  readonly label: string;
  /** What it means or leads to. */
  readonly description: string;
}

export type UserReply =
  /** By the id of the question: labels that were chosen, or the person's own words. */
  | { readonly type: "answered"; readonly answers: Readonly<Record<string, readonly string[]>> }
  /** The person did not want to answer. */
  | { readonly type: "dismissed" };
