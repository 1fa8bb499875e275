/** A shell whose scripts can be read. `sh` is any POSIX shell; of `zsh` only what it shares with the others. */
export type ShellDialect = "bash" | "sh" | "zsh";
