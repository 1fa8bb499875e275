/** Who decides which model it is, whether one is fetched, and sees it come. */
export interface ModelDialog {
  /** Whether to fetch it. */
  confirm(question: string): Promise<boolean>;
  /** One of these models; null: none of them. */
  choose(question: string, models: readonly string[]): Promise<string | null>;
  tell(line: string): void;
}
