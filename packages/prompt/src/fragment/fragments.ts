import { developerInstructionsFragment } from "./developer-instructions.ts";
import { environmentFragment } from "./environment.ts";
import type { Fragment, PromptFacts } from "./fragment.ts";
import { permissionsFragment } from "./permissions.ts";
import { userInstructionsFragment } from "./user-instructions.ts";

/** The messages that a thread starts with, in order. */
export const fragments: readonly Fragment<PromptFacts>[] = [
  permissionsFragment,
  developerInstructionsFragment,
  userInstructionsFragment,
  environmentFragment,
];
