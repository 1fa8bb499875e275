import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openShellWorld } from "./shell-world.ts";

const isMissing = spawnSync("zsh", ["-fc", "true"]).status !== 0;

/** Prints what a command can see of its shell. Leaves out differences between any two shells. */
const look = String.raw`status_before=$? flags=$-; set +o errexit +o nounset +o xtrace
echo "state: $status_before flags: \${flags//l/} name: $0 parameters: $# $* folder: $PWD $OLDPWD level: $SHLVL environment: $ZDOTDIR"
exec 2>&1
trap; trap - EXIT
umask; ulimit -a; ulimit -Ha
set +o | grep -v ' login$'
alias -L; functions | sed 's/ | /|/g'; disable; hash -dL; zmodload -L
typeset -p | grep -Ev '^(typeset|export)( -[-a-zA-Z0-9]+)* (_|EPOCH[A-Z]+|LINENO|PPID|RANDOM|SECONDS|TTYIDLE|ZSH_EXECUTION_STRING|status_before|flags|pipestatus|epochtime)(=|$)'
env | grep -v '^_=' | sort
zsh -c 'echo child $- $SHLVL $ZDOTDIR; alias -L; umask'
whence -w greet >/dev/null && greet
`.replaceAll("\\$", "$");

const profiles: Readonly<Record<string, string>> = {
  "an empty one": "",
  "one like nvm's": String.raw`
export NVM_DIR="$HOME/.nvm"
nvm() {
  if [ $# -lt 1 ]; then nvm --help; return; fi
  local i; for i in "$@"; do case $i in --) break ;; '-h'|'help') echo "help for $i" ;; esac; done
  cat <<EOT
a document with $1
EOT
}
greet() { echo hi }
path=("$NVM_DIR/bin" $path); fpath+=(~/.zfunc); autoload -Uz add-zsh-hook compinit`,
  "variables of all kinds": String.raw`
list=(one 'two words' '' $'three\nlines'); typeset -A map=(key 'a value' 'odd key' $'\t'); typeset -i number=4
typeset -r fixed=1; typeset -x exported=yes; typeset -F float=1.5; typeset -U path; typeset -T MINE mine; mine=(a b)
export SPACES='  a  b  ' WORDS='grün 日本' CONTROL=$'\e[1m\r' EMPTY= ; PS1='%n $(x)'; unset LANG; export BYTES=$'\xff'`,
  "options, aliases, traps, a mask, limits and folders": `
setopt extendedglob nullglob noclobber shwordsplit; alias ll='ls -l' gs='git status'; alias -g L='| less'; alias -s txt=cat
trap 'echo bye' EXIT; trap '' INT; umask 027; ulimit -n 200; hash -d proj=/usr; zmodload zsh/datetime; set -eu`,
  "one that prints": "echo Welcome; echo late >&2; printf 'no line end'; export SEEN=1",
  "a folder of its own for the files": "export AT=$ZDOTDIR",
};

describe.skipIf(isMissing)(
  "a command sees the same as under zsh -lc, whatever the profile has done (zsh is needed):",
  () => {
    it.concurrent.each(Object.entries(profiles))("%s", async (_name, profile) => {
      const files = { ".zprofile": profile, ".zshenv": "export FROM_ENV=1\n" };
      await using world = await openShellWorld({ shell: "zsh", files });
      const spec = world.toSpec(look);
      const entered = await world.enter(spec);
      expect(world.warnings).toEqual([]);
      expect(entered.argv.slice(0, 2)).toEqual(["zsh", "-c"]);
      const [under, plain] = [await world.run(spec), await world.run(entered)];
      expect(plain).toBe(under.slice(under.indexOf("state: ")));
      expect(plain).toMatch(/^state: /);
    });
  },
);
