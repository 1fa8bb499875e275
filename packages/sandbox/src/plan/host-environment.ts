import { quoteArgv } from "@unroll/text";

/** The variables that lead tools to the proxy. */
export interface HostEnvironmentOptions {
  /** The other variables of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** The port of the proxy on 127.0.0.1, or a mark that is replaced by it. */
  readonly port: string;
  /** Runs the way out of git over ssh. */
  readonly perl: string;
  /** The number of the system call sendmsg. */
  readonly sendmsg: number;
}

const local = "localhost,127.0.0.1,::1";

/**
 * curl, wget, git, apt, pip, cargo, go and most libraries read the proxy from the first variables. The
 * others are for tools that need a word of their own, or whose configuration would win otherwise.
 */
export function toHostEnvironment(options: HostEnvironmentOptions): Record<string, string> {
  const { environment, port } = options;
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
    GIT_SSH_COMMAND: toSshCommand(options),
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

/** Asks the proxy for a tunnel, hands the connection over to ssh, and ends. */
const tunnelProgram = String.raw`my ($port, $host, $to, $sendmsg) = @ARGV; socket(my $s, 2, 1, 0); connect($s, pack("S n a4 x8", 2, $port, "\x7f\0\0\1")) or die "unroll: no proxy\n"; syswrite($s, "CONNECT $host:$to HTTP/1.1\r\nHost: $host:$to\r\n\r\n"); my $head = ""; while ($head !~ /\r\n\r\n/) { sysread($s, $head, 1, length $head) or last } if ($head !~ m{^HTTP/1.1 200 }) { local $/; print STDERR "unroll: ", scalar <$s>; exit 1 } my $t = "\0"; my $v = pack("P Q", $t, 1); my $c = pack("Q l l l x4", 20, 1, 1, fileno $s); my $m = pack("Q L x4 P Q P Q i x4", 0, 0, $v, 1, $c, length $c, 0); syscall($sendmsg + 0, 1, $m, 0) == 1 or die "unroll: sendmsg: $!\n"`;

function toSshCommand({ environment, port, perl, sendmsg }: HostEnvironmentOptions): string {
  const program = quoteArgv([perl, "-e", tunnelProgram.replaceAll("%", "%%"), "--"]);
  const command = `exec ${program} ${port} %h %p ${sendmsg}`;
  const options = ["-o", "ProxyUseFdpass=yes", "-o", quoteArgv([`ProxyCommand=${command}`])];
  return join(environment["GIT_SSH_COMMAND"] || "ssh", options);
}

/** The names of these variables: nothing else of the command's environment may set them. */
export const hostVariables: ReadonlySet<string> = new Set(
  Object.keys(toHostEnvironment({ environment: {}, port: "", perl: "", sendmsg: 0 })),
);
