import { describe, expect, it } from "vitest";
import { openShellWorld } from "./shell-world.ts";

/** Prints what a command can see of its shell. Leaves out differences between any two shells. */
const look = String.raw`status=$? flags=$-; set +u
echo "state: $status flags: $flags name: $0 parameters: $# $* folder: $PWD $OLDPWD level: $SHLVL environment: $BASH_ENV"
exec 2>&1
trap -p; trap - EXIT DEBUG ERR; set +eux
umask; ulimit -Sa; ulimit -Ha
shopt | grep -v ^login_shell; set -o
alias; declare -f; declare -F; enable -n
declare -p | grep -Ev '^declare -[-a-zA-Z]+ (_|BASH(PID|OPTS|_[A-Z0-9]+)|DIRSTACK|EPOCH[A-Z]+|FUNCNAME|LINENO|PIPESTATUS|PPID|S?RANDOM|SECONDS)(=|$)'
env | grep -v '^_=' | sort
dirs
bash -c 'echo child $- $SHLVL $BASH_ENV; alias; declare -F; umask; ulimit -a' 2>&1
type -t greet && greet
`;

const profiles: Readonly<Record<string, string>> = {
  "an empty one": "",
  "one like nvm's": String.raw`
export NVM_DIR="$HOME/.nvm"
nvm_echo() { command printf %s\\n "$*" 2>/dev/null; }
nvm() {
  if [ $# -lt 1 ]; then nvm --help; return; fi
  local i; for i in "$@"; do case $i in --) break ;; '-h'|'help'|'--help') nvm_echo "help for $i" ;; esac; done
  cat <<EOT
a document with $1 and \$2
  indented
EOT
  [[ "$1" =~ ^v[0-9]+ ]] && nvm_echo "$(printf '%s\n' a b | sort -r)"
}
PATH="$NVM_DIR/versions/node/v22/bin:$PATH"
export NVM_BIN="$NVM_DIR/versions/node/v22/bin"`,
  "one like pyenv's": String.raw`
export PYENV_ROOT="$HOME/.pyenv" PATH="$HOME/.pyenv/bin:$PATH"
eval "$(printf '%s\n' 'export PATH="$PYENV_ROOT/shims:$PATH"' 'export PYENV_SHELL=bash' 'pyenv() { local command; command="$1"; case "$command" in rehash|shell) eval "$(command pyenv "sh-$command")";; *) command pyenv "$command" "$@";; esac; }')"
PROMPT_COMMAND="_hook;"`,
  "functions, exported ones, read-only ones, and such that need patterns": `
greet() { echo "hi \${1-you}"; }; export -f greet
shopt -s extglob; short() { [[ $1 == +(a|b) ]] && echo \${1//@(x|y)/}; }; shopt -u extglob
fixed() { :; }; readonly -f fixed; traced() { :; }; declare -ft traced
if! () { echo odd; }; recurse() { (cd /; recurse) & wait; }
over() { while read -r line; do echo "$line"; done < <(printf 'a\\nb\\n') 3>&1 | cat; }`,
  "arrays, maps, integers, references and attributes without a value": String.raw`
list=(one 'two words' "" $'three\nlines'); list[7]=seven
declare -A map=([key]='a value' ["odd key]"]=$'\t' [empty]=''); declare -A later; declare -i number=4 count
declare -n reference=list; declare -l lower=ABC; declare -u UPPER; declare -x exported; declare -ar fixed=(1 2)
declare -ix PORT=80; local_only=1; export -n LANG`,
  "values that need care":
    String.raw`
export SPACES='  a  b  ' QUOTES=\''"'\''"$HOME` +
    "`id`" +
    String.raw`"\\' NEWLINES=$'a\ndeclare -x FAKE="1"\n' CONTROL=$'\e[1m\x01\r' WORDS='grün 日本 🙂' BYTES=$'\xff\xfe' EMPTY=
PS1='\u@\h \$(x) '; IFS=$':\n'; LC_ALL=C; TZ=UTC; export CDPATH=/usr`,
  "variables taken away, and the search path made anew": "unset LANG; PATH=/bin:/usr/bin; unset -v OLDPWD",
  traps: `trap 'echo "bye from $0"' EXIT; trap '' INT; trap 'echo user
two' USR1; trap 'echo failed $LINENO' ERR`,
  options:
    "set -o noclobber -o pipefail -o allexport; set +o hashall; shopt -s nullglob globstar expand_aliases; shopt -u sourcepath",
  "`set -e` and `set -u`": 'set -eu; [ -n "$HOME" ]; false || true',
  aliases: `shopt -s expand_aliases; alias ll='ls -l' greet='echo "it'"'"'s me"' sudo='sudo '; alias multi='echo a
echo b'`,
  "a mask and limits": "umask 027; ulimit -Sn 200; ulimit -Hn 300; ulimit -c 0; ulimit -St 3600",
  "read-only variables": "TMOUT=300; readonly TMOUT; declare -rx EDITOR=vi; readonly -a FROZEN=(x)",
  "one that prints, on both streams and late":
    "echo Welcome; echo 'Last login: today' >&2; printf 'no line end'; export SEEN=1",
  "broken syntax": "export BEFORE=1\nif then fi\nexport AFTER=1",
  "another folder": 'export BEFORE="$PWD"; cd /usr; cd /',
  "parameters and a failure at its end": "set -- 'a b' c; [ -f /nowhere ] && . /nowhere",
  "a file for other shells, and a level": "export BASH_ENV=$HOME/.env; SHLVL=7",
  "a chain of files": '[ -n "$BASH" ] && . ~/.bashrc\n',
};

describe("a command sees the same as under bash -lc, whatever the profile has done:", () => {
  it.concurrent.each(Object.entries(profiles))("%s", async (_name, profile) => {
    const rc = "case $- in *i*) ;; *) NOT_INTERACTIVE=1; export FROM_RC=1;; esac\n. ~/.more\n";
    const files = { ".bash_profile": profile, ".bashrc": rc, ".more": "more() { :; }\n", ".env": "ENV_READ=1\n" };
    await using world = await openShellWorld({ files });
    const spec = world.toSpec(look);
    const entered = await world.enter(spec);
    expect(world.warnings).toEqual([]);
    expect(entered.argv.slice(0, 3)).toEqual(["bash", "--norc", "-c"]);
    const [under, plain] = [await world.run(spec), await world.run(entered)];
    expect(plain).toBe(under.slice(under.indexOf("state: ")));
    expect(plain).toMatch(/^state: /);
  });
});
