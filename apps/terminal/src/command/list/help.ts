import { showHidden } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

const keys = `Enter           send; while a turn runs: wait for its end (^S, or Tab where nothing is to be completed: send now)
Alt+Enter, ^J   a new line
Esc             stop the turn; twice in an empty line: go back to an earlier message
^C              clear the line; twice in an empty one: leave
Up, Down        what was typed before; while something waits: take it back
^R              search what was typed before
^G              write in $VISUAL or $EDITOR
^T              all of the thread, in full
^L              paint anew        ^Z  suspend
@file           name a file       !command  run a command in the sandbox
/command        one of these:`;

export const helpCommand: TerminalCommand = {
  name: "help",
  description: "keys and commands",
  argument: null,
  timing: "always",
  async run({ commands, tell }) {
    const names = commands.map(({ name, argument }) => `/${name}${argument === null ? "" : ` ${argument}`}`);
    const width = Math.max(...names.map((name) => name.length));
    const lines = commands.map(({ description }, at) => `${(names[at] ?? "").padEnd(width)}  ${description}`);
    tell(`${keys}\n\n${lines.map((line) => showHidden(line)).join("\n")}`);
  },
};
