/** Who decides whether a model is fetched, and sees it come. */
export interface PullDialog {
  /** Whether to fetch it. */
  confirm(question: string): Promise<boolean>;
  tell(line: string): void;
}
