import { ProgramError } from "@unroll/program";

/**
 * How questions of the approval policy are answered. `refuse`: each is denied, and the model gets that answer.
 * `stop`: the first ends the run, and the thread asks again when it is resumed. `stdio`: the program that started us answers on stdin; questions are lines on stdout.
 */
export type ApprovalChannel = "refuse" | "stop" | "stdio";

/** Of `--approvals`. Throws `ProgramError` where it does not go with the other flags. */
export function readApprovalChannel(flags: ApprovalFlags): ApprovalChannel {
  const { approvals = "refuse", json = false, resume, prompt = resume === undefined ? "-" : null } = flags;
  if (approvals !== "stdio") return approvals;
  if (!json) throw new ProgramError("usage", "--approvals stdio needs --json: questions are printed on stdout.");
  if (prompt !== "-") return approvals;
  throw new ProgramError("usage", "--approvals stdio reads answers from stdin: give the prompt as an argument.");
}

interface ApprovalFlags {
  readonly approvals?: ApprovalChannel;
  readonly json?: boolean;
  readonly prompt?: string;
  /** A thread that waits for an answer needs no prompt. */
  readonly resume?: string;
}
