import { quoteWord } from "@unroll/text";
import { ownPrefix } from "../shell/own-prefix.ts";

/** Where the descriptors are kept that the shell began with; zsh takes names of two digits for commands. */
const kept = "7<&0 8>&1 9>&2";
/** zsh keeps its own from 10 on. */
const lastDescriptor = 6;

/**
 * Prints the shell's state on stdout, like the dump of bash. Only the zsh that set a trap can print it, not a subshell,
 * so traps are printed while they are set.
 */
export function toZshDump(nonce: string): string {
  return [
    `${ownPrefix}status=$? ${ownPrefix}options="$(\\builtin set +o)"`,
    `\\builtin set +o errexit +o nounset +o xtrace +o verbose +o ksharrays +o shwordsplit`,
    `\\builtin printf '\\n%s\\n' '${nonce}:begin'`,
    print("traps", "trap"),
    `\\builtin trap - DEBUG ZERR EXIT 2>/dev/null`,
    `\\builtin printf '%s\\0' status "$${ownPrefix}status" options "$${ownPrefix}options" cwd "$PWD" stack "$#dirstack"`,
    `for ${ownPrefix}name in "$@"; do \\builtin printf '%s\\0' argument "$${ownPrefix}name"; done`,
    print("mask", "umask"),
    print("soft", "ulimit -Sa"),
    print("hard", "ulimit -Ha"),
    print("aliases", "alias -L"),
    print("functions", "functions"),
    print("folders", "hash -dL"),
    print("modules", "zmodload -L"),
    print("disabled", "disable"),
    print("jobs", "jobs -r"),
    `for ${ownPrefix}name in "\${(@ko)parameters}"; do`,
    `[[ $${ownPrefix}name != [A-Za-z_]* || \${parameters[$${ownPrefix}name]} == *hide* ]] && continue`,
    print("variable", `typeset -p "$${ownPrefix}name"`),
    `[[ $${ownPrefix}name == *_PID ]] && \\builtin kill -0 "\${(P)${ownPrefix}name}" 2>/dev/null && \\builtin printf '%s\\0' alive "$${ownPrefix}name"`,
    `done`,
    `for ((${ownPrefix}fd = 3; ${ownPrefix}fd <= ${lastDescriptor}; ${ownPrefix}fd++)); do`,
    `[[ -e /dev/fd/$${ownPrefix}fd ]] && \\builtin printf '%s\\0' fd "$${ownPrefix}fd"`,
    `done`,
    `[[ -e /dev/fd/7 ]] && ! [[ /dev/fd/0 -ef /dev/fd/7 && /dev/fd/1 -ef /dev/fd/8 && /dev/fd/2 -ef /dev/fd/9 ]] && \\builtin printf '%s\\0' moved ''`,
    `\\builtin printf '%s\\n' '${nonce}:end'`,
  ].join("\n");
}

/**
 * For `sh`, given the zsh and the dump as `$1` and `$2`: zsh reads `/etc/zshenv` in any case, so one without a profile cannot become
 * the login shell, which reads it again. `folder` has no files for zsh in it.
 */
export function toZshDriver(folder: string, given: string | undefined): string {
  const restore = given === undefined ? "unset ZDOTDIR" : `export ZDOTDIR=${quoteWord(given)}`;
  return `ZDOTDIR=${quoteWord(folder)} "$1" -c "$2"\n${restore}\nexec "$1" -lc "$2" ${kept}`;
}

function print(tag: string, builtin: string): string {
  return `\\builtin printf '%s\\0' ${tag}; \\builtin ${builtin}; \\builtin printf '\\0'`;
}
