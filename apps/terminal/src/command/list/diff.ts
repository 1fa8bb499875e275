import { readWorkTreeDiff } from "@unroll/process-tree";
import { toProgramPlaces } from "@unroll/program";
import type { TerminalCommand } from "../terminal-command.ts";

export const diffCommand: TerminalCommand = {
  name: "diff",
  description: "show all uncommitted changes, including new files",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ thread, host, page, tell, signal }) {
    const found = await readWorkTreeDiff({ ...toProgramPlaces(thread.config, host), signal });
    if (found.type === "failed") return tell(found.message);
    if (found.text === "") return tell("There are no changes since the last commit.");
    page({ title: "Changes since the last commit", text: found.text, kind: "diff" });
  },
};
