import type { PermissionsContext } from "../../prompt-context.ts";
import { closedNetworkText } from "./closed-network.ts";
import { describeHiddenPaths } from "./hidden-paths.ts";

/** `read-only`: look, do not touch. */
export function describeReadOnly({ sandboxPolicy }: PermissionsContext): string {
  return [
    "# Sandbox: read-only",
    `Commands that you run with the shell tool may read files and start programs. They cannot create, change or delete any file, temporary files included. "Read-only file system" or "permission denied" on a write is this sandbox speaking, and another path or tool will not help. A patch changes files too, so it needs the same leave as any other write.`,
    ...describeHiddenPaths(sandboxPolicy),
    closedNetworkText,
  ].join("\n\n");
}
