import type { PromptContext } from "../prompt-context.ts";
import type { Fragment } from "./fragment.ts";

const developerInstructionsMaxBytes = 64 * 1024;

/** `developer_instructions` from the configuration, word for word. */
export const developerInstructionsFragment: Fragment<Pick<PromptContext, "developerInstructions">> = {
  name: "developer_instructions",
  label: "developer instructions",
  role: "developer",
  maxBytes: developerInstructionsMaxBytes,
  render: ({ developerInstructions: body }) => (body === null || body.trim() === "" ? null : { body }),
};
