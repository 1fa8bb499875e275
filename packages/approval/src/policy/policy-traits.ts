import type { ApprovalPolicy } from "@unroll/protocol";

/** What a policy asks beyond the table of commands (`approvalTable`). */
interface PolicyTraits {
  /** Whether a person is asked at all. */
  readonly asks: boolean;
  /** About all that may change something: every patch, and commands that are not known to only read. */
  readonly isWary: boolean;
  /** Whether to run outside what the sandbox stopped. */
  readonly asksAgain: boolean;
  /** What it comes to where nobody is there. */
  readonly unattended: ApprovalPolicy;
}

const usual: PolicyTraits = { asks: true, isWary: false, asksAgain: false, unattended: "never" };

/** As a record, so that a new one does not compile before all of it is said. */
export const policyTraits: Readonly<Record<ApprovalPolicy, PolicyTraits>> = {
  untrusted: { ...usual, isWary: true, unattended: "untrusted" }, // its questions are answered by a no
  "on-failure": { ...usual, asksAgain: true },
  "on-request": usual,
  never: { ...usual, asks: false },
};
