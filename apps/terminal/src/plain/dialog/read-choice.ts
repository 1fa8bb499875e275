/** The option of this number, counted from 1; null where the text is no such number. */
export function readChoice<Option>(text: string, options: readonly Option[]): Option | null {
  return /^\d+$/.test(text.trim()) ? (options[Number(text) - 1] ?? null) : null;
}
