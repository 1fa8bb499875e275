/** One place that holds one text. All throw `AuthError`. */
export interface Place {
  /** For a person: `/home/ann/.codex/auth.json`, `the system keyring`. */
  readonly name: string;
  /** Null: there is nothing. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
  /** Nothing happens where there is nothing. */
  remove(): Promise<void>;
}
