import type { MessageItem } from "@unroll/protocol";
import { environmentFragment, renderEnvironment } from "./fragment/environment.ts";
import { toMessage } from "./fragment/fragment.ts";
import { permissionsFragment, renderPermissions } from "./fragment/permissions.ts";
import type { EnvironmentContext, PermissionsContext } from "./prompt-context.ts";

const PERMISSIONS_CHANGED =
  "The permissions have changed. From here on these count, and whatever was said about them before does not.";

/** The message to append when the sandbox or the approval policy changes within a thread. At most 32 KiB. */
export function renderPermissionsChange(context: PermissionsContext): MessageItem {
  const text = renderPermissions(context);
  return toMessage(permissionsFragment, { ...text, body: `${PERMISSIONS_CHANGED}\n\n${text.body}` }).item;
}

/** The message to append when the working folder or the shell changes within a thread. At most 8 KiB. */
export function renderEnvironmentChange(context: EnvironmentContext): MessageItem {
  return toMessage(environmentFragment, renderEnvironment(context)).item;
}
