/** Chooses the model, approves downloads and shows their progress. */
export interface ModelDialog {
  /** Whether to fetch it. */
  confirm(question: string): Promise<boolean>;
  /** One of these models; null: none of them. */
  choose(question: string, models: readonly string[]): Promise<string | null>;
  tell(line: string): void;
}
