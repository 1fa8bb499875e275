const names =
  /^(?:PATH|IFS|ENV|HOME|SHELL|CC|CXX|LD|AR|MAKE|MAGIC|PS\d|PROMPT_COMMAND|GLIBC_TUNABLES|GETCONF_DIR|POSIXLY_CORRECT|TERMINFO|TERMCAP)$|^(?:LD_|DYLD_|BASH|BAT_|GAWK_|GIT_|JAVA_|JDK_|MALLOC_|NODE_REPL|SSH_|XDG_|LESS|PYTHON|PERL|RUBY|RUSTC|CARGO_|npm_config_)/i;
const endings =
  /(?:PATH|PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|CMD|OPTIONS?|OPTS?|FLAGS|CONFIG|RC|PRELOAD|HOOKS?|WRAPPER|ASKPASS|PROXY|LOADER|EXEC|STARTUP|_HOST|_ENDPOINT|_REGISTRY|ENDPOINT_URL|_BASE_URL)$/i;
const harmlessNames =
  /^(?:[a-z_][a-z\d_]*|LC_[A-Z]+|LANG|LANGUAGE|TZ|COLUMNS|LINES|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|NODE_ENV)$/;

/** Whether a variable may change what a command does, whom it talks to, or which program its name stands for. */
export function isPowerfulVariable(name: string): boolean {
  return names.test(name) || endings.test(name);
}

/** Whether no program obeys a variable in more than language, colour and width: any other may stand for a program to run. */
export function isHarmlessVariable(name: string): boolean {
  return harmlessNames.test(name) && !isPowerfulVariable(name);
}
