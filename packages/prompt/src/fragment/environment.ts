import type { EnvironmentContext } from "../prompt-context.ts";
import { showPath } from "../text/show-path.ts";
import { tagValue } from "../text/tag.ts";
import type { Fragment, FragmentText } from "./fragment.ts";

const environmentMaxBytes = 8 * 1024;

/** Where the thread works. Nothing in it changes by time: a date would break the prefix of a thread that is resumed. */
export const environmentFragment: Fragment<EnvironmentContext> = {
  name: "environment",
  role: "user",
  maxBytes: environmentMaxBytes,
  render: renderEnvironment,
};

/** The same text for a thread that goes on somewhere else: the latest one counts. */
export function renderEnvironment({ cwd, shellName }: EnvironmentContext): FragmentText {
  const body = [tagValue("cwd", showPath(cwd)), tagValue("shell", showPath(shellName))].join("\n");
  return { tag: "environment_context", body };
}
