import type { SandboxMode } from "@unroll/protocol";

/** `on-failure`: the harness asks when the sandbox has stopped something. */
export function describeOnFailure(mode: SandboxMode): string {
  const rule =
    mode === "danger-full-access"
      ? "Commands run at once. One that can destroy a lot may be shown to the person first."
      : "Every command runs in the sandbox at once. When the sandbox stops one, the harness asks the person whether to run it again outside, and you get the result of whichever run came last. So run what the task needs, plainly, and leave `sandbox_permissions` unset.";
  return [
    "# Approvals: on-failure",
    `${rule} A question interrupts somebody: do not run what is sure to be stopped when there is a way that is not. No means no: follow what they say instead, and do not get the same effect another way.`,
  ].join("\n\n");
}
