import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import { describeNever } from "../permissions/approval/never.ts";
import { describeOnFailure } from "../permissions/approval/on-failure.ts";
import { describeOnRequest } from "../permissions/approval/on-request.ts";
import { describeUntrusted } from "../permissions/approval/untrusted.ts";
import { describeDangerFullAccess } from "../permissions/sandbox/danger-full-access.ts";
import { describeReadOnly } from "../permissions/sandbox/read-only.ts";
import { describeWorkspaceWrite } from "../permissions/sandbox/workspace-write.ts";
import type { PermissionsContext } from "../prompt-context.ts";
import type { Fragment, FragmentText } from "./fragment.ts";

const permissionsMaxBytes = 32 * 1024;

/** What commands may do, and when a person is asked. */
export const permissionsFragment: Fragment<PermissionsContext> = {
  name: "permissions",
  role: "developer",
  maxBytes: permissionsMaxBytes,
  render: renderPermissions,
};

const sandboxTemplates: Readonly<Record<SandboxMode, (context: PermissionsContext) => string>> = {
  "read-only": describeReadOnly,
  "workspace-write": describeWorkspaceWrite,
  "danger-full-access": describeDangerFullAccess,
};

const approvalTemplates: Readonly<Record<ApprovalPolicy, (mode: SandboxMode) => string>> = {
  untrusted: describeUntrusted,
  "on-failure": describeOnFailure,
  "on-request": describeOnRequest,
  never: describeNever,
};

/** One template for the sandbox mode, one for the approval policy. */
export function renderPermissions(context: PermissionsContext): FragmentText {
  const { mode } = context.sandboxPolicy;
  const body = `${sandboxTemplates[mode](context)}\n\n${approvalTemplates[context.approvalPolicy](mode)}`;
  return { tag: "permissions instructions", body };
}
