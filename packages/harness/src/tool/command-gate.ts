import type { CommandGate } from "@unroll/tools";

/** Lets every command run under the thread's sandbox policy, and none outside of it: there is nobody to ask. */
export const commandGate: CommandGate = {
  judge: (request) =>
    Promise.resolve(
      request.sandboxPermissions === "require_escalated"
        ? { type: "declined", message: "Nobody is here to approve it. Do without, or say in the end what was needed." }
        : { type: "run", confinement: "policy" },
    ),
};
