/** What the server may ask a client, by method: what is sent, and what the answer is once it was checked. */
export type LineQuestions = Readonly<Record<string, { readonly params: object; readonly result: unknown }>>;

/** What a client is told without an answer. */
export interface LineNotice {
  readonly method: string;
  readonly params: object;
}
