import { describeApprovals } from "../permissions/approval-permissions.ts";
import { describeSandbox } from "../permissions/sandbox-permissions.ts";
import type { PermissionsContext } from "../prompt-context.ts";
import type { Fragment, FragmentText } from "./fragment.ts";

const maxPermissionsBytes = 32 * 1024;

/** The permissions of commands, and when the user is asked. */
export const permissionsFragment: Fragment<PermissionsContext> = {
  name: "permissions",
  role: "developer",
  maxBytes: maxPermissionsBytes,
  render: renderPermissions,
};

export function renderPermissions({
  sandboxPolicy,
  sandboxReport = null,
  approvalPolicy,
}: PermissionsContext): FragmentText {
  const body = `${describeSandbox(sandboxPolicy, sandboxReport)}\n\n${describeApprovals(approvalPolicy, sandboxPolicy.mode)}`;
  return { tag: "permissions instructions", body };
}
