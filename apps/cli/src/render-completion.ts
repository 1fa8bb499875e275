/** What may come next, by the words so far (empty: none). */
type Words = ReadonlyMap<string, readonly string[]>;

/** A script for a shell. Files are completed where no word fits. */
export function renderCompletion(shell: "bash" | "zsh" | "fish", words: Words): string {
  switch (shell) {
    case "bash":
      return renderBash(words);
    case "zsh":
      // zsh runs bash's completions
      return `autoload -U +X bashcompinit && bashcompinit\n${renderBash(words)}`;
    case "fish":
      return renderFish(words);
  }
}

function renderBash(words: Words): string {
  const cases = [...words].map(([path, next]) => `    "${path}") words="${next.join(" ")}" ;;`);
  const paths = [...words.keys()].filter((path) => path !== "").map((path) => `"${path}"`);
  return `_unroll() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
    ${paths.join("|")}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _unroll unroll
`;
}

function renderFish(words: Words): string {
  const lines = [...words].flatMap(([path, next]) => {
    const first = path.split(" ")[0] ?? "";
    const where =
      path === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${path.split(" ").at(-1) ?? first}`;
    return next.map((word) =>
      word.startsWith("--")
        ? `complete -c unroll -n '${where}' -l ${word.slice(2)}`
        : word.startsWith("-")
          ? `complete -c unroll -n '${where}' -s ${word.slice(1)}`
          : `complete -c unroll -n '${where}' -a ${word}`,
    );
  });
  return `${lines.join("\n")}\n`;
}
