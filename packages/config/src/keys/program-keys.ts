export const threadKeys = {
  title: "Threads",
  keys: {
    "history.persistence": {
      kind: ["save-all", "none"],
      default: "save-all",
      text: "whether `unroll` and `unroll exec` save their threads ([threads.md](threads.md))",
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
      text: "the colours; `auto` asks the terminal for its background",
      weight: "light",
      member: "terminal.theme",
    },
    "tui.animations": {
      kind: "boolean",
      default: true,
      text: "`false`: no animations, like `--no-animation`",
      weight: "light",
      member: "terminal.animations",
    },
    "tui.status_line": {
      kind: "names",
      otherwise: "the standard parts",
      text: "the parts of the status line, in this order ([terminal.md](terminal.md#status-line))",
      weight: "light",
      member: "terminal.statusLine",
    },
    "tui.terminal_title": {
      kind: "names",
      default: ["state"],
      text: "the parts of the terminal's title: `state` (needs you, working, done), `project` (the working folder). `[]`: the title stays as it is",
      weight: "light",
      member: "terminal.titleParts",
    },
    "tui.vim_mode_default": {
      kind: "boolean",
      default: false,
      text: "`true`: [Vim keys](terminal.md#vim-keys) in the input line. `/vim` switches them and sets this key",
      weight: "light",
      by: "user",
      member: "terminal.vimModeDefault",
    },
    "tui.keymap.*.*": {
      kind: "keys",
      text: "the keys of an action, by context and name, as in `tui.keymap.composer.submit`; `[]`: no key ([terminal.md](terminal.md#your-own-keys))",
      by: "user",
    },
    "tui.notifications": {
      kind: "boolean",
      default: true,
      text: "whether you are notified when a turn ends or asks a question while the terminal is not in focus",
      weight: "light",
      member: "terminal.notifications",
    },
    "tui.notification_method": {
      kind: ["auto", "osc9", "osc777", "bel"],
      default: "auto",
      text: "how to notify you: OSC 9, OSC 777 or the bell. `auto` is OSC 9 in terminals known to support it, else the bell",
      weight: "light",
      member: "terminal.notificationMethod",
    },
    notify: {
      kind: "command-or-none",
      default: [],
      text: "a program to start at the same moments, with a JSON text as its last argument",
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
      text: "`true`: don't show the model's reasoning",
      weight: "light",
      member: "hideAgentReasoning",
    },
    profile: { kind: "text", text: "the profile to use if there is no `-p`", by: "user" },
    "profiles.*": {
      kind: "table",
      text: "a profile: any keys of this page except `profile`, `profiles` and `projects`",
      by: "user",
    },
    "projects.*.trust_level": {
      kind: ["trusted", "untrusted"],
      text: "whether the project's own configuration and skills are read. `untrusted` also turns off the notice about it",
      weight: "guard",
      by: "user",
    },
    "projects.*.sandbox_mode": {
      kind: ["read-only", "workspace-write"],
      text: "the `sandbox_mode` in this project if nothing else sets it. The terminal program asks for it once",
      weight: "guard",
      by: "user",
    },
  },
} as const;
