import { formatPlace } from "@unroll/text";
import { RequestFault } from "./request-fault.ts";

/** A check of a value; a schema of zod is one. */
export interface ValueCheck<Value> {
  safeParse(value: unknown): CheckedValue<Value>;
}

type CheckedValue<Value> =
  | { readonly success: true; readonly data: Value }
  | { readonly success: false; readonly error: { readonly issues: readonly CheckIssue[] } };

interface CheckIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const shownIssues = 5;

/** The value as it was checked. Throws `RequestFault` that names each wrong member by its place (`input[0].text`), behind `label`. */
export function checkByPlace<Value>(check: ValueCheck<Value>, value: unknown, label: string): Value {
  const checked = check.safeParse(value);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.slice(0, shownIssues).map(describeIssue);
  throw new RequestFault("invalidParams", `${label}: ${issues.join("; ")}`);
}

function describeIssue({ path, message }: CheckIssue): string {
  return `${formatPlace(path) || "params"}: ${message}`;
}
