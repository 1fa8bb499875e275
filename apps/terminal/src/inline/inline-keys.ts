import type { HelpEntry } from "../text/render-help.ts";

/** What the keys do. */
export const inlineKeys: readonly HelpEntry[] = [
  { name: "Enter", description: "send; while a turn runs: wait for its end (Tab, ^S: send now)" },
  { name: "Alt+Enter, ^J", description: "a new line" },
  { name: "Esc", description: "stop the turn; twice in an empty line: go back to an earlier message" },
  { name: "^C", description: "clear the line; twice in an empty one: leave" },
  { name: "^D", description: "in an empty line: leave" },
  { name: "Up, Down", description: "what was typed before; while something waits: take it back" },
  { name: "^R", description: "search what was typed before" },
  { name: "^G", description: "write in $VISUAL, $EDITOR or vi" },
  { name: "^T", description: "all of the thread, in full" },
  { name: "^V", description: "take the picture in the clipboard" },
  { name: "^L, ^Z", description: "paint anew; suspend" },
  { name: "@file", description: "name a file" },
  { name: "!command", description: "run a command in the sandbox" },
];
