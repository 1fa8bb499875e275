import type { CommandSpec } from "@unroll/protocol";
import { bashDialect } from "./bash/bash-dialect.ts";
import { zshDialect } from "./zsh/zsh-dialect.ts";
import type { LoginCommand, ShellDialect } from "./shell/shell-dialect.ts";

/** A command that reads the profile first. */
export interface LoginStart extends LoginCommand {
  readonly dialect: ShellDialect;
}

type Environment = Readonly<Record<string, string | undefined>>;

const shellProgram = /^(?:\/(?:usr\/(?:local\/)?|opt\/homebrew\/|run\/current-system\/sw\/)?bin\/)?(?<name>bash|zsh)$/;
/** With one of these a shell starts in another way, or reads other files. */
const otherWays = ["POSIXLY_CORRECT", "SHELLOPTS", "BASHOPTS"] as const;

/**
 * Null where the command is another one, or its shell cannot be given a state: `sh`, dash and ksh cannot print functions.
 * Only shells of the system and the user's own are taken for what they are called.
 */
export function readLoginStart({ argv, environment }: CommandSpec, inherited: Environment): LoginStart | null {
  const [program = "", option, ...words] = argv;
  if (option !== "-lc" || words.length === 0) return null;
  const dialect = findDialect(program, inherited["SHELL"]);
  const given: Environment = { ...inherited, ...environment };
  const isPlain =
    !otherWays.some((name) => name in given) &&
    ["BASH_ENV", "ZDOTDIR"].every((name) => environment?.[name] === undefined);
  return dialect !== null && isPlain && given["HOME"] ? { dialect, program, words } : null;
}

function findDialect(program: string, usersShell: string | undefined): ShellDialect | null {
  const name = program === usersShell ? program.split("/").at(-1) : shellProgram.exec(program)?.groups?.["name"];
  return name === "bash" ? bashDialect : name === "zsh" ? zshDialect : null;
}
