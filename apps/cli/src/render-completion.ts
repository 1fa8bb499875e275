/** The words that may come next, by the words so far (empty: none). */
type Words = ReadonlyMap<string, readonly string[]>;

/** A script for a shell. Files are completed where no word fits. */
export function renderCompletion(shell: "bash" | "zsh" | "fish", words: Words): string {
  switch (shell) {
    case "bash":
      return renderBash(words);
    case "zsh":
      // zsh runs bash's completions, once its own are there
      return `autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit -i\nbashcompinit\n${renderBash(words)}`;
    case "fish":
      return renderFish(words);
  }
}

/** Also in zsh, to which `path` and `words` are names of its own, and a length that begins with a letter is none. */
function renderBash(words: Words): string {
  const cases = [...words].map(([path, next]) => `    "${path}") next="${next.join(" ")}" ;;`);
  const paths = [...words.keys()].filter((path) => path !== "").map((path) => `"${path}"`);
  return `_unroll() {
  local current="\${COMP_WORDS[COMP_CWORD]}" said="" word next=""
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${said:+$said }$word" in
    ${paths.join("|")}) said="\${said:+$said }$word" ;;
    esac
  done
  case "$said" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
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
