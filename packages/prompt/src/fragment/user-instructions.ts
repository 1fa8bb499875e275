import { showPath } from "../text/bounded-text.ts";
import type { Fragment, FragmentText, PromptFacts } from "./fragment.ts";

/** Room for the largest files and the largest list, which have limits of their own. */
const userInstructionsMaxBytes = 1024 * 1024;

/** Texts that people wrote for agents: AGENTS.md files, then the list of skills. */
export const userInstructionsFragment: Fragment<Pick<PromptFacts, "cwd" | "told">> = {
  name: "instructions",
  label: "AGENTS.md and skills",
  role: "user",
  maxBytes: userInstructionsMaxBytes,
  render({ cwd, told }) {
    const sections = [told.documents, told.skills].filter((section) => section !== "");
    return sections.length === 0 ? null : frameUserInstructions(sections.join("\n\n"), cwd);
  },
};

/** How instructions of files look in a message, the first ones and changed ones. */
export function frameUserInstructions(body: string, cwd: string): FragmentText {
  return { heading: `# AGENTS.md instructions for ${showPath(cwd)}`, tag: "INSTRUCTIONS", body };
}
