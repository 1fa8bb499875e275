import { describeBreak, describeOwnModel } from "@unroll/cells";
import { refusalOf, type ApprovalDecision, type PrefixQuestion } from "@unroll/protocol";
import type { Terminal } from "../terminal.ts";
import { showAsked } from "./show-asked.ts";

/**
 * Asks whether the thread may begin its requests anew; `own_model`: it is to go on with what it was opened with instead. Leaving
 * the question (^C, ^D) is a no.
 */
export async function askBreak(
  terminal: Terminal,
  question: PrefixQuestion,
  signal: AbortSignal,
): Promise<ApprovalDecision | "own_model"> {
  const denied = refusalOf(question);
  if (!(await showAsked(terminal, describeBreak(question), signal))) return denied;
  for (;;) {
    const key = await terminal.askFresh(`  [y] yes [o] ${describeOwnModel(question)} [n] no: `, { signal });
    signal.throwIfAborted();
    if (key === null || key.trim().toLowerCase() === "n") return denied;
    if (key.trim().toLowerCase() === "y") return { type: "approved.once" };
    if (key.trim().toLowerCase() === "o") return "own_model";
  }
}
