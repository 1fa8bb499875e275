import type { ShellWord } from "../command/shell-word.ts";

/**
 * Programs that tell their version before they read a file of the working folder. Not npm (`.npmrc` says which npm), pnpm and
 * yarn (`packageManager`, `yarnPath`), cargo and rustc (`rust-toolchain.toml`), go (`toolchain`): a project names what runs.
 */
const programs: ReadonlySet<string> = new Set(
  (
    "bash bun clang clang++ cmake curl deno docker fd fzf g++ gcc gh gzip jq less make node nodejs openssl perl python " +
    "python3 rg ruby sqlite3 ssh tar tmux vim wget zsh"
  ).split(" "),
);

/** `node --version`, and nothing else behind. */
export function isVersionQuestion(name: string, words: readonly ShellWord[]): boolean {
  const [, option] = words;
  if (words.length !== 2 || option?.kind !== "static") return false;
  if (option.text === "--version") return programs.has(name);
  return /^(?:node|nodejs):-v$|^python3?:-V$/.test(`${name}:${option.text}`);
}
