const names =
  /^(?:PATH|IFS|ENV|HOME|SHELL|CC|CXX|LD|AR|MAKE|PS\d|PROMPT_COMMAND|GLIBC_TUNABLES)$|^(?:LD_|DYLD_|BASH|GIT_|SSH_|XDG_|LESS|PYTHON|PERL|RUBY|RUSTC|CARGO_|npm_config_)/i;
const endings =
  /(?:PATH|PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|CMD|OPTIONS?|OPTS?|FLAGS|CONFIG|RC|PRELOAD|HOOKS?|WRAPPER|ASKPASS|PROXY|LOADER|EXEC|STARTUP|_HOST|_ENDPOINT|_REGISTRY|ENDPOINT_URL|_BASE_URL)$/i;

/** Whether a variable may change what a command does, whom it talks to, or which program its name stands for. */
export function isPowerfulVariable(name: string): boolean {
  return names.test(name) || endings.test(name);
}
