/** One place that holds one text. All methods throw `AuthError`. */
export interface Place {
  /** Its name for the user: `/home/ann/.codex/auth.json`, `the system keyring`. */
  readonly name: string;
  /** Null: there is nothing. */
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
  /** Does nothing if it is empty. */
  remove(): Promise<void>;
}
