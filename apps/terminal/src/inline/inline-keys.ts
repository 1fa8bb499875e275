import type { HelpEntry } from "../text/render-help.ts";

/** What the keys do. */
export const inlineKeys: readonly HelpEntry[] = [
  { name: "Enter", description: "send; during a turn: queue for the next one (Tab, ^S: send now)" },
  { name: "Alt+Enter, ^J", description: "a new line" },
  { name: "Esc", description: "stop the turn; twice in an empty line: /rewind" },
  { name: "^C", description: "clear the line; twice in an empty one: leave" },
  { name: "^D", description: "in an empty line: leave" },
  { name: "Up, Down", description: "earlier inputs; take back a queued message" },
  { name: "^R", description: "search earlier inputs" },
  { name: "^G", description: "write in $VISUAL, $EDITOR or vi" },
  { name: "^T", description: "the whole thread, in full" },
  { name: "^V", description: "attach the picture in the clipboard" },
  { name: "^L, ^Z", description: "repaint; suspend" },
  { name: "@file", description: "name a file" },
  { name: "!command", description: "run a command in the sandbox" },
];
