import { access } from "node:fs/promises";
import { join } from "node:path";

const task = `Write an AGENTS.md for this project: what a coding agent has to know before it changes anything here.
Look around first: manifest files, scripts, CI, the layout of folders, tests, recent commits. Then write the file into the working folder.
Put in it, each in a few lines and only what you have seen to be true: what the project is; how it is built, run, tested and checked
(the exact commands; for one test, too); how the folders are laid out; the conventions that the code keeps; what commits look like.
Leave out what any engineer knows. At most 60 lines. End by telling what you were not sure of.`;

/** The task for an AGENTS.md. */
export interface InitTask {
  readonly text: string;
  /** Whether the project has one, so that the task is to improve it: the user may be asked first. */
  readonly isThere: boolean;
}

/** The task for the model in the project of this folder. */
export async function readInitTask({
  projectRoot,
  cwd,
}: {
  readonly projectRoot: string | null;
  readonly cwd: string;
}): Promise<InitTask> {
  const isThere = await access(join(projectRoot ?? cwd, "AGENTS.md")).then(
    () => true,
    () => false,
  );
  const mending = "There is one already: keep what is true of it, mend what is not, add what is missing.";
  return { text: isThere ? `${task}\n${mending}` : task, isThere };
}
