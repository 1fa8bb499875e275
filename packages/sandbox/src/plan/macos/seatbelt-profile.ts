import type { PathRule } from "../../policy/path-rule.ts";

/** A profile and the values of the parameters it names. */
export interface SeatbeltProfile {
  readonly text: string;
  /** Paths never become part of the text. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The rights that every program needs just to read and compute. */
const baseProfile = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow file-read*)
(allow sysctl-read)
(allow pseudo-tty)
(allow file-ioctl (regex #"^/dev/(tty.*|ptmx)$"))
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/ptmx") (regex #"^/dev/tty"))
(allow ipc-posix-sem)
(allow mach-lookup
  (global-name "com.apple.cfprefsd.agent")
  (global-name "com.apple.cfprefsd.daemon")
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership"))`;

const networkProfile = `(allow network*)
(allow system-socket)
(allow mach-lookup
  (global-name "com.apple.SystemConfiguration.configd")
  (global-name "com.apple.SecurityServer")
  (global-name "com.apple.networkd")
  (global-name "com.apple.ocspd")
  (global-name "com.apple.trustd.agent"))`;

/**
 * The proxy's port alone. None of the services that check certificates: they fetch addresses that a
 * certificate names, from any host.
 */
function toProxyProfile(port: number): string {
  return `(allow network-outbound (remote ip "localhost:${String(port)}"))`;
}

interface ProfileFacts {
  readonly rules: readonly PathRule[];
  readonly networkAccess: boolean;
  /** Null: no proxy. */
  readonly proxyPort: number | null;
}

/** A later rule overrides an earlier one, as a deeper path's rule does in `rules`. */
export function toSeatbeltProfile({ rules, networkAccess, proxyPort }: ProfileFacts): SeatbeltProfile {
  const network = networkAccess ? [networkProfile] : proxyPort === null ? [] : [toProxyProfile(proxyPort)];
  const lines = rules.map((rule, index) => toSeatbeltRule(rule, `P${index}`));
  return {
    text: [baseProfile, ...lines, ...network].join("\n"),
    parameters: Object.fromEntries(rules.map(({ path }, index) => [`P${index}`, path])),
  };
}

function toSeatbeltRule({ type }: PathRule, parameter: string): string {
  // A subpath does not include its own top while that does not exist, so it is named literally as
  // well.
  const place = `(literal (param "${parameter}")) (subpath (param "${parameter}"))`;
  switch (type) {
    case "writable":
      return `(allow file-write* ${place})\n(deny file-write-unlink (literal (param "${parameter}")))`;
    case "read-only":
    case "absent":
    case "shown":
    case "shown-link":
    case "shown-copy":
    case "veiled-folder":
      return `(deny file-write* ${place})`;
    case "hidden-file":
    case "hidden-folder":
      return `(deny file-read* file-write* ${place})`;
  }
}
