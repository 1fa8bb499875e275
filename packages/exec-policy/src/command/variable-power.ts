const names =
  /^(?:PATH|IFS|ENV|HOME|SHELL|CC|CXX|LD|AR|MAKE|MAGIC|MAKEFILES|PS\d|PROMPT_COMMAND|HISTCMD|OPTIND|S?RANDOM|GLIBC_TUNABLES|GETCONF_DIR|POSIXLY_CORRECT|TERMINFO|TERMCAP)$|^(?:LD_|DYLD_|BASH|BAT_|GAWK_|GIT_|JAVA_|JDK_|MALLOC_|NODE_REPL|SSH_|XDG_|LESS|PYTHON|PERL|RUBY|RUSTC|CARGO_|npm_config_)/i;
const endings =
  /(?:PATH|PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|CMD|OPTIONS?|OPTS?|FLAGS|CONFIG|CONF|RC|PRELOAD|HOOKS?|WRAPPER|ASKPASS|PROXY|LOADER|EXEC|STARTUP|_HOME|_HOST|_ENDPOINT|_REGISTRY|ENDPOINT_URL|_BASE_URL)$/i;
const plainNames =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|COLUMNS|LINES|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|NODE_ENV)$/;
const everydayNames =
  /^(?:RUST_BACKTRACE|RUST_LOG|DEBUG|VERBOSE|PORT|HOST|APP_ENV|RAILS_ENV|TEST_\w+|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED)$/;

/** Whether a variable may change what a command does, whom it talks to, or which program its name stands for. */
export function isPowerfulVariable(name: string): boolean {
  return names.test(name) || endings.test(name);
}

/** Whether a command that only reads obeys a variable in nothing but language, colour and width. */
export function isHarmlessVariable(name: string): boolean {
  return (/^[a-z_][a-z\d_]*$/.test(name) || plainNames.test(name)) && !isPowerfulVariable(name);
}

/** Whether a rule covers a command that gets this variable although the rule does not name it. Any other may name code to run. */
export function isRoutineVariable(name: string): boolean {
  return plainNames.test(name) || everydayNames.test(name);
}

/**
 * Whether a variable of a shell stays in the shell (`for f in …`). A shell passes a variable on only if the environment
 * had the name before, and no program is known to read such a name from there.
 */
export function isLoopVariable(name: string): boolean {
  return /^[a-z]+\d*$/.test(name) && !isPowerfulVariable(name);
}

/** Whether a variable names a program, or holds a script, that other programs or the shell run. */
export function namesProgram(name: string): boolean {
  return (
    /^(?:CC|CXX|RUSTC|TERMINAL|ENV|BASH_(?:ENV|CMDS|ALIASES|FUNC_.*)|PS\d|LESSOPEN|LESSCLOSE|GIT_EXTERNAL_DIFF|GIT_SSH|RSYNC_RSH)$/i.test(
      name,
    ) || /(?:PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|CMD|ASKPASS|WRAPPER)$/i.test(name)
  );
}

/** Whether a variable holds options or settings with which programs run others. */
export function holdsOptions(name: string): boolean {
  return /^(?:TAR_OPTIONS|(?:GNU)?MAKEFLAGS|MFLAGS|PERL5OPT|RUBYOPT|NODE_OPTIONS|GIT_CONFIG_(?:VALUE_\d+|PARAMETERS))$/.test(
    name,
  );
}

/** Whether Bash evaluates, as arithmetic, every value that a variable is set to: `RANDOM='a[$(id)]'`. */
export function isComputedVariable(name: string): boolean {
  return /^(?:HISTCMD|OPTIND|S?RANDOM)$/.test(name);
}
