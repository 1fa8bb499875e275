import { checkShape } from "@unroll/text";
import type { MessageItem } from "@unroll/protocol";
import { developerInstructionsFragment } from "./fragment/developer-instructions.ts";
import { environmentFragment, renderEnvironment } from "./fragment/environment.ts";
import { toMessage } from "./fragment/fragment.ts";
import { permissionsFragment, renderPermissions } from "./fragment/permissions.ts";
import { frameUserInstructions, userInstructionsFragment } from "./fragment/user-instructions.ts";
import type { ContextTexts } from "./initial-prompt.ts";
import type { EnvironmentContext, PermissionsContext } from "./prompt-context.ts";
import { showPath } from "./text/bounded-text.ts";

const permissionsChanged =
  "The permissions have changed. From here on these count, and whatever was said about them before does not.";

/** The message to append when the sandbox or the approval policy changes within a thread. At most 32 KiB. */
export function renderPermissionsChange(context: PermissionsContext): MessageItem {
  checkShape("renderPermissionsChange", context, { "sandboxPolicy.mode": "text", approvalPolicy: "text" });
  const text = renderPermissions(context);
  return toMessage(permissionsFragment, { ...text, body: `${permissionsChanged}\n\n${text.body}` }).item;
}

/** The message to append when the working folder, the shell or the day changes within a thread. At most 8 KiB. */
export function renderEnvironmentChange(context: EnvironmentContext): MessageItem {
  checkShape("renderEnvironmentChange", context, { cwd: "text", shellName: "text" });
  return toMessage(environmentFragment, renderEnvironment(context)).item;
}

/**
 * The messages to append if people changed their texts for the model: `changed` names the parts. Each at most as large
 * as its fragment in the initial prompt.
 */
export function renderContextChange(
  told: ContextTexts,
  { cwd, changed }: { readonly cwd: string; readonly changed: ReadonlySet<keyof ContextTexts> },
): readonly MessageItem[] {
  const { developerInstructions } = told;
  return [
    ...(changed.has("developerInstructions") ? [toDeveloperChange(developerInstructions)] : []),
    ...(changed.has("documents") ? [toDocumentsChange(told.documents, cwd)] : []),
    ...(changed.has("skills") ? [toSkillsChange(told.skills, cwd)] : []),
  ];
}

function toDeveloperChange(text: string): MessageItem {
  const body =
    text === ""
      ? "There are no developer instructions any more: those that were given before do not count from here on."
      : `The developer instructions have changed. From here on these count, and those that were given before do not.\n\n${text}`;
  return toMessage(developerInstructionsFragment, { body }).item;
}

const documentChanges = {
  changed:
    "The AGENTS.md instructions have changed. From here on these count, and those that were given before do not.",
  gone: "There are no AGENTS.md instructions any more: those that were given before do not count from here on.",
};

/** In the form of the first one, which the model knows. */
function toDocumentsChange(documents: string, cwd: string): MessageItem {
  const { changed, gone } = documentChanges;
  const body = documents === "" ? gone : `${changed}\n\n${documents}`;
  return toMessage(userInstructionsFragment, frameUserInstructions(body, cwd)).item;
}

const skillChanges = {
  changed: "The skills have changed. From here on there are these, and no others.",
  gone: "There are no skills any more.",
};

/** Behind a tag, so that the model does not take it for the user's words: it stands among them. */
function toSkillsChange(skills: string, cwd: string): MessageItem {
  const heading = `# Skills for ${showPath(cwd)}`;
  const body = skills === "" ? skillChanges.gone : `${skillChanges.changed}\n\n${skills}`;
  const frame = { ...userInstructionsFragment, name: "skill_list" };
  return toMessage(frame, { tag: "user_instructions", body: `${heading}\n\n${body}` }).item;
}

const interruptions = {
  user: "The user stopped the turn before it was finished.",
  limit: "The turn was stopped before it was finished: a limit that the user set was reached.",
};
const afterInterruption =
  "Commands that were running were ended and may have taken effect in part: " +
  "look before you repeat them. What follows is what the user wants now.";

/** The message to append when a turn was interrupted, so that the model does not take it for finished. `by`: default the user. */
export function renderInterruption(by: keyof typeof interruptions = "user"): MessageItem {
  const body = `${interruptions[by]} ${afterInterruption}`;
  return toMessage({ name: "turn_interrupted", role: "user", maxBytes: 1024 }, { tag: "turn_interrupted", body }).item;
}

const cutAnswer =
  "Your last answer was ended by its server before it was finished. What stands of it above, if anything, is only its beginning: " +
  "the reasoning is gone, and none of its calls was run. What follows is what the user wants now.";

/** The message to append when a server ended an answer too early, so that the model does not take it for whole. */
export function renderCutResponse(): MessageItem {
  return toMessage({ name: "answer_cut", role: "user", maxBytes: 1024 }, { tag: "answer_cut", body: cutAnswer }).item;
}

const repeated =
  "Your last calls were made before in this turn, and had the same results: nothing has changed. Do not make them again. " +
  "If you wait for something, wait longer in one call; if you are stuck, try something that you have not tried, or end with what you know and what is in the way.";

/** The message to append when the model makes the same calls again and again, with the same results. */
export function renderRepetition(): MessageItem {
  return toMessage(
    { name: "repeated_calls", role: "developer", maxBytes: 1024 },
    { tag: "repeated_calls", body: repeated },
  ).item;
}

/** The message to append when the final message will not do; `fault` says why, in a sentence. At most 2 KiB. */
export function renderResponseFault(fault: string): MessageItem {
  const body = `${fault} Answer again, with nothing but JSON of that schema. The work itself is done: do not repeat it.`;
  return toMessage({ name: "answer_refused", role: "developer", maxBytes: 2048 }, { tag: "answer_refused", body }).item;
}
