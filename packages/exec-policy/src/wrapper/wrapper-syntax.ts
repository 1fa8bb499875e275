/** How a program that runs another one writes that one: after its own options. */
export interface WrapperSyntax {
  /** Short options without and with a value, one letter each. */
  readonly flags: string;
  readonly values: string;
  /** Long options; those in `longValues` take a value, after `=` or as the next word; with `=` in their name only after it. */
  readonly longFlags: readonly string[];
  readonly longValues: readonly string[];
  /** Words of its own between options and command. */
  readonly positionals: number;
  /** Whether `NAME=value` words may precede the command. */
  readonly assignments: boolean;
  /** Whether the command does no more through it than by itself. */
  readonly transparent: boolean;
  /** Whether it may write what the command prints to a file. */
  readonly writesOutput: boolean;
}

const plain: WrapperSyntax = {
  flags: "",
  values: "",
  longFlags: [],
  longValues: [],
  positionals: 0,
  assignments: false,
  transparent: true,
  writesOutput: false,
};

/**
 * Options that are not here make the place of the inner command unclear, so that nothing is allowed: also on purpose
 * those that change the folder (`env -C`), split a string (`env -S`), open a shell (`sudo -s`) or write (`time -o`).
 */
export const wrapperSyntaxes: ReadonlyMap<string, WrapperSyntax> = new Map<string, WrapperSyntax>([
  ["builtin", plain],
  ["busybox", plain],
  ["command", { ...plain, flags: "p" }],
  ["doas", { ...plain, flags: "n", values: "u", transparent: false }],
  [
    "env",
    {
      ...plain,
      flags: "i",
      values: "u",
      longFlags: ["--ignore-environment"],
      longValues: ["--unset"],
      assignments: true,
    },
  ],
  // Not with another name for the program (`-a`, `-l`): some programs do what their name says.
  ["exec", { ...plain, flags: "c" }],
  ["ionice", { ...plain, flags: "t", values: "cn", longFlags: ["--ignore"], longValues: ["--class", "--classdata"] }],
  ["nice", { ...plain, flags: "0123456789", values: "n", longValues: ["--adjustment"] }],
  // At a terminal, to `nohup.out`.
  ["nohup", { ...plain, writesOutput: true }],
  ["setsid", { ...plain, flags: "cfw", longFlags: ["--ctty", "--fork", "--wait"] }],
  ["stdbuf", { ...plain, values: "ioe", longValues: ["--input", "--output", "--error"] }],
  [
    "sudo",
    {
      ...plain,
      flags: "nEHbkSAP",
      values: "ugp",
      longFlags: ["--non-interactive"],
      assignments: true,
      transparent: false,
    },
  ],
  ["time", { ...plain, flags: "pv" }],
  [
    "timeout",
    {
      ...plain,
      flags: "fpv",
      values: "sk",
      longFlags: ["--foreground", "--preserve-status", "--verbose"],
      longValues: ["--signal", "--kill-after"],
      positionals: 1,
    },
  ],
  ["toybox", plain],
  [
    "xargs",
    {
      ...plain,
      flags: "0rtxo",
      values: "nPLsdEI",
      longFlags: ["--null", "--no-run-if-empty", "--verbose", "--exit", "--open-tty"],
      longValues: ["--max-args", "--max-procs", "--max-lines=", "--max-chars", "--delimiter", "--replace="],
    },
  ],
]);

/** Programs that run a command from somewhere among their words, in ways that are not worth knowing exactly. */
export const opaqueWrappers: ReadonlySet<string> = new Set(
  (
    "at batch bwrap caffeinate chroot chronic chrt cpulimit crontab entr fakeroot faketime firejail flock gdb ltrace newgrp nsenter " +
    "numactl parallel perf proot runuser screen script setarch setpriv sg ssh strace su systemd-run taskset tmux torsocks " +
    "unbuffer unshare valgrind watch"
  ).split(" "),
);
