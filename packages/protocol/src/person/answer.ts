import type { FormValue } from "./question.ts";

/** An answer to a `Question`. Anything else counts as a denial. */
export type Answer = ApprovalDecision | ChoiceAnswer | FormAnswer;

/** An answer to an approval question. */
export type ApprovalDecision =
  | { readonly type: "approved.once" }
  /** The same command in the same folder, the same files, tool or hosts need no question for the rest of the thread. */
  | { readonly type: "approved.thread" }
  /** Patches to files in the question's `editFolders` need no approval for the rest of the thread. */
  | { readonly type: "approved.edits" }
  /** A rule for each of the question's hosts is written; hosts only. */
  | { readonly type: "approved.hosts" }
  /** A rule for this prefix is written; commands only. */
  | { readonly type: "approved.always"; readonly prefix: readonly string[] }
  /**
   * The person answers later: the call waits, and the turn ends with `approval_needed`. A denial for anything but a call of which nothing
   * has run.
   */
  | { readonly type: "postponed" }
  /** `reason` goes to the model: what to do instead; null where the person said nothing. */
  | { readonly type: "denied"; readonly reason: string | null };

/** An answer to a model's questions. */
export type ChoiceAnswer =
  /** By the id of the question: labels that were chosen, or the person's own words. */
  | { readonly type: "answered"; readonly answers: Readonly<Record<string, readonly string[]>> }
  /** The person did not want to answer. */
  | { readonly type: "dismissed" };

/** An answer to the form of an MCP server. */
export type FormAnswer =
  | { readonly type: "accepted"; readonly values: Readonly<Record<string, FormValue>> }
  /** The person said no. */
  | { readonly type: "declined" }
  /** There is no answer. */
  | { readonly type: "cancelled" };
