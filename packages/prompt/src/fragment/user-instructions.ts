import { showPath } from "../text/show-path.ts";
import type { Fragment } from "./fragment.ts";
import type { PromptFacts } from "./prompt-facts.ts";

/** Room for the largest files and the largest list, which have limits of their own. */
const userInstructionsMaxBytes = 1024 * 1024;

/** What people wrote down for agents: AGENTS.md files, then the list of skills. */
export const userInstructionsFragment: Fragment<Pick<PromptFacts, "cwd" | "told">> = {
  name: "AGENTS.md and skills",
  role: "user",
  maxBytes: userInstructionsMaxBytes,
  render({ cwd, told }) {
    const sections = [told.documents, told.skills].filter((section) => section !== "");
    if (sections.length === 0) return null;
    return {
      heading: `# AGENTS.md instructions for ${showPath(cwd)}`,
      tag: "INSTRUCTIONS",
      body: sections.join("\n\n"),
    };
  },
};
