import type { ApprovalPolicy } from "@unroll/protocol";

/** The properties of a policy beyond the table of commands (`approvalTable`). */
interface PolicyTraits {
  /** Whether a person is asked at all. */
  readonly asks: boolean;
  /** About all that may change something: every patch, and commands that are not known to only read. */
  readonly isWary: boolean;
  /** Whether to run outside what the sandbox stopped. */
  readonly asksAgain: boolean;
  /** The policy that applies instead when nobody can be asked. */
  readonly unattended: ApprovalPolicy;
}

const usual: PolicyTraits = { asks: true, isWary: false, asksAgain: false, unattended: "never" };

/** As a record, so that a new policy does not compile until all its traits are listed. */
export const policyTraits: Readonly<Record<ApprovalPolicy, PolicyTraits>> = {
  untrusted: { ...usual, isWary: true, unattended: "untrusted" }, // every question is denied
  "on-failure": { ...usual, asksAgain: true },
  "on-request": usual,
  never: { ...usual, asks: false },
};

/** The status of a command before any approval policy applies, strictest first. */
export type Standing =
  /** A rule forbids it. */
  | "forbidden"
  /** A rule asks about it, or may. */
  | "prompted"
  /** It is dangerous. */
  | "dangerous"
  /** It is dangerous, and a rule allows exactly this command. */
  | "consented"
  /** Nothing speaks for it. */
  | "unknown"
  /** It only reads. */
  | "read"
  /** Rules allow all of it. */
  | "allowed";

type ApprovalAction = "run" | "ask" | "decline";

/** The action in the sandbox, and the action if the model asks to leave it (`require_escalated`). */
interface ApprovalRow {
  readonly inside: ApprovalAction;
  readonly outside: ApprovalAction;
}

const asking: Readonly<Record<Standing, ApprovalRow>> = {
  forbidden: { inside: "decline", outside: "decline" },
  prompted: { inside: "ask", outside: "ask" },
  dangerous: { inside: "ask", outside: "ask" },
  consented: { inside: "ask", outside: "ask" },
  unknown: { inside: "run", outside: "ask" },
  read: { inside: "run", outside: "ask" },
  allowed: { inside: "run", outside: "run" },
};

/**
 * `on-failure` and `on-request` differ only afterwards: where the sandbox stopped a command, `on-failure` asks at once
 * to run it again outside, `on-request` leaves that to the model. `never` has nobody to ask; there a rule that spells a
 * dangerous command out is the consent that was given before.
 */
export const approvalTable: Readonly<Record<ApprovalPolicy, Readonly<Record<Standing, ApprovalRow>>>> = {
  untrusted: { ...asking, unknown: { inside: "ask", outside: "ask" } },
  "on-failure": asking,
  "on-request": asking,
  never: {
    forbidden: { inside: "decline", outside: "decline" },
    prompted: { inside: "decline", outside: "decline" },
    dangerous: { inside: "decline", outside: "decline" },
    consented: { inside: "run", outside: "run" },
    unknown: { inside: "run", outside: "decline" },
    read: { inside: "run", outside: "decline" },
    allowed: { inside: "run", outside: "run" },
  },
};
