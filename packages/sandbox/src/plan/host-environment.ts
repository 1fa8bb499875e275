/** The variables that lead tools to the proxy. */
export interface HostEnvironmentOptions {
  /** The other variables of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** The port of the proxy on 127.0.0.1, or a mark that is replaced by it. */
  readonly port: string;
  /** Lead git's ssh to the proxy, as a shell takes them. */
  readonly sshOptions: string;
}

const local = "localhost,127.0.0.1,::1";

/**
 * curl, wget, git, apt, pip, cargo, go and most libraries read the proxy from the first variables. The
 * others are for tools that need a word of their own, or whose configuration would win otherwise.
 */
export function toHostEnvironment({ environment, port, sshOptions }: HostEnvironmentOptions): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const named = [...proxies, "npm_config_proxy", "npm_config_https_proxy", "PIP_PROXY", "CARGO_HTTP_PROXY"];
  const java = ["http", "https"].flatMap((scheme) => [
    `-D${scheme}.proxyHost=127.0.0.1`,
    `-D${scheme}.proxyPort=${port}`,
  ]);
  return {
    ...Object.fromEntries(named.map((name) => [name, proxy])),
    ...Object.fromEntries(["NO_PROXY", "no_proxy", "npm_config_noproxy"].map((name) => [name, local])),
    NODE_USE_ENV_PROXY: "1",
    JAVA_TOOL_OPTIONS: join(environment["JAVA_TOOL_OPTIONS"], [...java, "-Dhttp.nonProxyHosts=localhost|127.*|[::1]"]),
    ...configureGit(environment, proxy),
    GIT_SSH_COMMAND: join(environment["GIT_SSH_COMMAND"] || "ssh", [sshOptions]),
  };
}

function join(before: string | undefined, words: readonly string[]): string {
  return [...(before ? [before] : []), ...words].join(" ");
}

/** `http.proxy` of a configuration file would win over the variable. */
function configureGit(environment: Readonly<Record<string, string>>, proxy: string): Record<string, string> {
  const count = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  if (!Number.isSafeInteger(count) || count < 0) return {};
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "http.proxy",
    [`GIT_CONFIG_VALUE_${count}`]: proxy,
  };
}

/** The names of these variables: nothing else of the command's environment may set them. */
export const hostVariables: ReadonlySet<string> = new Set(
  Object.keys(toHostEnvironment({ environment: {}, port: "", sshOptions: "" })),
);
