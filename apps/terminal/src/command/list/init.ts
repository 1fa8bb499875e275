import { access } from "node:fs/promises";
import { join } from "node:path";
import type { TerminalCommand } from "../terminal-command.ts";

const task = `Write an AGENTS.md for this project: what a coding agent has to know before it changes anything here.
Look around first: manifest files, scripts, CI, the layout of folders, tests, recent commits. Then write the file into the working folder.
Put in it, each in a few lines and only what you have seen to be true: what the project is; how it is built, run, tested and checked
(the exact commands; for one test, too); how the folders are laid out; the conventions that the code keeps; what commits look like.
Leave out what any engineer knows. At most 60 lines. End by telling what you were not sure of.`;

export const initCommand: TerminalCommand = {
  name: "init",
  description: "have an AGENTS.md written for this project",
  argument: null,
  timing: "between_turns",
  async run({ conversation, choose, send }) {
    const file = join(conversation.config.projectRoot ?? conversation.config.cwd, "AGENTS.md");
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (!isThere) return send(task);
    const options = [
      { value: "improve", label: "improve it", description: "keep what is true and add what is missing" },
      { value: "leave", label: "leave it", description: "nothing is done" },
    ];
    const wish = await choose({ title: "There is an AGENTS.md already", options });
    if (wish === "improve")
      send(`${task}\nThere is one already: keep what is true of it, mend what is not, add what is missing.`);
  },
};
