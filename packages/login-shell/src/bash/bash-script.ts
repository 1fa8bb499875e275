import { ownPrefix } from "../shell/own-prefix.ts";

/** Where the descriptors are kept that the shell began with, to see afterwards whether the profile moved them. */
const [keptInput, keptOutput, keptErrors] = [61, 62, 63] as const;
const lastDescriptor = 64;

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_".split("");

/**
 * Tells on stdout what state the shell is in, as `tag NUL value NUL` between two lines that begin with `nonce`. Nothing
 * is defined for it but variables, which begin with `ownPrefix`, and nothing but `trap -p` is forked for: a profile may
 * have limited that. Leftovers of the profile that would disturb the dump (traps, `set -e`) are recorded first and then
 * switched off. It does not call `exit`, by which a login shell runs `~/.bash_logout`.
 */
export function toBashDump(nonce: string): string {
  return [
    `${ownPrefix}status=$? ${ownPrefix}options=$SHELLOPTS`,
    `${ownPrefix}traps=$(\\builtin trap -p) || ${ownPrefix}traps=unreadable`,
    `\\builtin trap - DEBUG ERR RETURN EXIT`,
    `\\builtin set +o errexit +o nounset +o xtrace +o verbose +o functrace +o errtrace`,
    `\\builtin printf '\\n%s\\n' '${nonce}:begin'`,
    put("status", "status", "options", "options", "traps", "traps"),
    `\\builtin printf '%s\\0' cwd "$PWD" stack "\${#DIRSTACK[@]}"`,
    `for ${ownPrefix}name in "$@"; do ${put("argument", "name")}; done`,
    print("mask", "umask"),
    print("soft", "ulimit -Sa"),
    print("hard", "ulimit -Ha"),
    print("shopts", "shopt -p"),
    print("aliases", "alias -p"),
    print("functions", "declare -f"),
    print("marks", "declare -F"),
    print("disabled", "enable -n"),
    print("jobs", "jobs -rp"),
    print("declared", "declare -p"),
    `for ${ownPrefix}name in ${letters.map((letter) => `"\${!${letter}@}"`).join(" ")}; do`,
    print("variable", `declare -p "$${ownPrefix}name"`),
    `case $${ownPrefix}name in *_PID) \\builtin kill -0 "\${!${ownPrefix}name}" 2>/dev/null && ${put("alive", "name")};; esac`,
    `done`,
    `for ((${ownPrefix}fd = 3; ${ownPrefix}fd < ${lastDescriptor}; ${ownPrefix}fd++)); do`,
    `[[ ! -e /dev/fd/$${ownPrefix}fd ]] || ${put("fd", "fd")}`,
    `done`,
    `[[ ! -e /dev/fd/${keptInput} ]] || [[ /dev/fd/0 -ef /dev/fd/${keptInput} && /dev/fd/1 -ef /dev/fd/${keptOutput} && /dev/fd/2 -ef /dev/fd/${keptErrors} ]] || \\builtin printf '%s\\0' moved ''`,
    `\\builtin printf '%s\\n' '${nonce}:end'`,
  ].join("\n");
}

/**
 * Given the dump as `$1`: dumps the state without a profile, then becomes the login shell that dumps its own. `exec` takes
 * the level back that this shell added to SHLVL. `restore` puts `BASH_ENV` back as the login shell would find it.
 */
export function toBashDriver(restore: string): string {
  const kept = `${keptInput}<&0 ${keptOutput}>&1 ${keptErrors}>&2`;
  return `\\builtin eval "$1"\n${restore}\n\\builtin exec -a "$0" "$BASH" -lc "$1" ${kept}`;
}

/** Descriptors that are ours. */
export const keptDescriptors: ReadonlySet<string> = new Set([keptInput, keptOutput, keptErrors].map(String));

/** Pairs of a tag and the own variable that holds its value. */
function put(...pairs: readonly string[]): string {
  const words = pairs.map((word, index) => (index % 2 === 0 ? word : `"$${ownPrefix}${word}"`));
  return `\\builtin printf '%s\\0' ${words.join(" ")}`;
}

function print(tag: string, builtin: string): string {
  return `\\builtin printf '%s\\0' ${tag}; \\builtin ${builtin}; \\builtin printf '\\0'`;
}
