import { foldText } from "@unroll/text";
import type { OutputStream } from "./process-io.ts";

/** Words of ours in rows that fit the terminal that they go to; as they are where it is none, or does not say its size. */
export function foldOutput(text: string, { isTerminal, size }: Pick<OutputStream, "isTerminal" | "size">): string {
  const columns = isTerminal ? (size()?.columns ?? null) : null;
  return columns === null ? text : foldText(text, columns);
}
