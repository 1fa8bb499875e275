export const threadKeys = {
  title: "Threads",
  keys: {
    "history.persistence": {
      kind: ["save-all", "none"],
      default: "save-all",
      text: "whether `unroll` and `unroll exec` keep their threads ([threads.md](threads.md))",
      weight: "guard",
      member: "historyPersistence",
    },
  },
} as const;

export const terminalKeys = {
  title: "The terminal program",
  keys: {
    "tui.theme": {
      kind: ["auto", "dark", "light", "plain"],
      default: "auto",
      text: "colours; `auto` asks the terminal for its background",
      weight: "light",
      member: "terminal.theme",
    },
    "tui.animations": {
      kind: "boolean",
      default: true,
      text: "whether anything moves by itself, as `--no-animation` says",
      weight: "light",
      member: "terminal.animations",
    },
    "tui.status_line": {
      kind: "names",
      otherwise: "the usual ones",
      text: "what the status line shows, in this order ([terminal.md](terminal.md#status-line))",
      weight: "light",
      member: "terminal.statusLine",
    },
    "tui.notifications": {
      kind: "boolean",
      default: true,
      text: "whether the terminal is told when a turn ends or asks, while you look elsewhere",
      weight: "light",
      member: "terminal.notifications",
    },
    "tui.notification_method": {
      kind: ["auto", "osc9", "osc777", "bel"],
      default: "auto",
      text: "how: by OSC 9, by OSC 777, by the bell; `auto`: OSC 9 where it is known, else the bell",
      weight: "light",
      member: "terminal.notificationMethod",
    },
    notify: {
      kind: "command-or-none",
      default: [],
      text: "started at the same moments, with one argument of JSON behind its own",
      by: "user",
      member: "terminal.notify",
    },
  },
} as const;

export const otherKeys = {
  title: "Output, profiles, projects",
  keys: {
    hide_agent_reasoning: {
      kind: "boolean",
      default: false,
      text: "do not show the model's reasoning",
      weight: "light",
      member: "hideAgentReasoning",
    },
    profile: { kind: "text", text: "the profile to use without `-p`", by: "user" },
    "profiles.*": { kind: "table", text: "any key of this page but `profile`, `profiles`, `projects`", by: "user" },
    "projects.*.trust_level": {
      kind: ["trusted", "untrusted"],
      text: "whether the project's own configuration and skills are read; `untrusted` also ends the notice about it",
      weight: "guard",
      by: "user",
    },
  },
} as const;
