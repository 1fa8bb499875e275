import type { MessageItem } from "@unroll/protocol";
import { environmentFragment, renderEnvironment } from "./fragment/environment.ts";
import { toMessage } from "./fragment/fragment.ts";
import { permissionsFragment, renderPermissions } from "./fragment/permissions.ts";
import type { EnvironmentContext, PermissionsContext } from "./prompt-context.ts";

const permissionsChanged =
  "The permissions have changed. From here on these count, and whatever was said about them before does not.";

/** The message to append when the sandbox or the approval policy changes within a thread. At most 32 KiB. */
export function renderPermissionsChange(context: PermissionsContext): MessageItem {
  const text = renderPermissions(context);
  return toMessage(permissionsFragment, { ...text, body: `${permissionsChanged}\n\n${text.body}` }).item;
}

/** The message to append when the working folder or the shell changes within a thread. At most 8 KiB. */
export function renderEnvironmentChange(context: EnvironmentContext): MessageItem {
  return toMessage(environmentFragment, renderEnvironment(context)).item;
}

const interrupted =
  "The user stopped the turn before it was finished. Commands that were running were ended and may have taken effect in part: " +
  "look before you repeat them. What follows is what the user wants now.";

/** The message to append when a turn was interrupted, so that the model does not take it for finished. */
export function renderInterruption(): MessageItem {
  return toMessage({ role: "user", maxBytes: 1024 }, { tag: "turn_interrupted", body: interrupted }).item;
}
