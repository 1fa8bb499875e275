import type { KeySection } from "./key-section.ts";

export const terminalKeys: KeySection = {
  title: "### The terminal program",
  intro: "",
  table: null,
  keys: {
    "tui.theme": { text: "colours; `auto` asks the terminal for its background" },
    "tui.animations": { text: "whether anything moves by itself, as `--no-animation` says" },
    "tui.status_line": {
      text: "what the status line shows, in this order ([terminal.md](terminal.md#status-line))",
      type: "names",
      otherwise: "the usual ones",
    },
    "tui.notifications": { text: "whether the terminal is told when a turn ends or asks, while you look elsewhere" },
    "tui.notification_method": {
      text: "how: by OSC 9, by OSC 777, by the bell; `auto`: OSC 9 where it is known, else the bell",
    },
    notify: {
      text: "started at the same moments, with one argument of JSON behind its own",
      type: "strings: a program and its arguments",
    },
  },
  outro: "",
};

export const otherKeys: KeySection = {
  title: "### Output, profiles, projects",
  intro: "",
  table: null,
  keys: {
    hide_agent_reasoning: { text: "do not show the model's reasoning" },
    profile: { text: "the profile to use without `-p`" },
    "profiles.*": { text: "any key of this page but `profile`, `profiles`, `projects`", type: "table" },
    "projects.*.trust_level": {
      text: "whether the project's own configuration and skills are read; `untrusted` also ends the notice about it",
    },
  },
  outro: "",
};
