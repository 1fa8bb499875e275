/** The host and port that a connection is for. `host` as `normaliseHost` gives it. */
export interface HostTarget {
  readonly host: string;
  readonly port: number;
}

/** One host, or all names below one, as a rule names it. */
export interface HostPattern {
  /** As `normaliseHost` gives it. With `isBelow`: the name that the hosts end in; it is not one of them itself. */
  readonly host: string;
  readonly isBelow: boolean;
  /** Null: any port. */
  readonly port: number | null;
}

/** A pattern, or what is wrong with its text: the end of a sentence, after the text. */
export type ParsedHostPattern =
  | { readonly type: "pattern"; readonly pattern: HostPattern }
  | { readonly type: "refused"; readonly reason: string };

/** Reads `name`, `*.name`, an IP address (IPv6 in brackets), each with or without `:port`. */
export function parseHostPattern(text: string): ParsedHostPattern {
  const { host: written, port } = splitPort(text);
  if (port !== null && !isPort(port)) return refuse("has a port that is not between 1 and 65535");
  const isBelow = written.startsWith("*.");
  const host = normaliseHost(isBelow ? written.slice(2) : written);
  if (host === null && normaliseHost(`[${written}]`) !== null)
    return refuse("is an IPv6 address without brackets; write `[address]` or `[address]:port`");
  if (host === null) return refuse("is not a host name or IP address; write `name`, `*.name` or `name:port`");
  if (isBelow && isAddress(host)) return refuse("has a wildcard before an IP address");
  if (isBelow && !host.includes(".")) return refuse("would match a whole top-level domain");
  return { type: "pattern", pattern: { host, isBelow, port } };
}

function refuse(reason: string): ParsedHostPattern {
  return { type: "refused", reason };
}

/** Reads `host:port`, as CONNECT names it. Null: it is not that. */
export function parseHostTarget(text: string): HostTarget | null {
  const { host: written, port } = splitPort(text);
  const host = normaliseHost(written);
  return host === null || port === null || !isPort(port) ? null : { host, port };
}

function splitPort(text: string): { readonly host: string; readonly port: number | null } {
  const [, host = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  return { host, port: port === undefined ? null : Number(port) };
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

const longestName = 253;
const label = /^(?!-)[a-z\d_-]{1,63}(?<!-)$/;

/**
 * The one form of a host: a name in lower case and punycode without its final dot, an IPv4 address
 * in four decimal parts, or an IPv6 address in brackets. The other forms of an IPv4 address
 * (`0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`) become the first. Null: it is not one host.
 */
export function normaliseHost(text: string): string | null {
  const isBracketed = /^\[[\da-f:.]+\]$/i.test(text);
  if (!isBracketed && (text.length > longestName + 1 || /[\s%:/?#@\\[\]*]/.test(text))) return null;
  const url = URL.parse(`http://${text}/`);
  if (url === null) return null;
  if (isBracketed) return unmap(url.hostname);
  const name = url.hostname.replace(/\.$/, "");
  return name.length <= longestName && name.split(".").every((part) => label.test(part)) ? name : null;
}

/** `[::ffff:7f00:1]` is 127.0.0.1 to the kernel. */
function unmap(host: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join(".");
}

/** Whether a normalised host is an IP address. */
export function isAddress(host: string): boolean {
  return host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether a pattern means a host. */
export function matchesHost(pattern: HostPattern, target: HostTarget): boolean {
  return coversHost(pattern, { ...target, isBelow: false });
}

/** Whether `outer` matches every host that `inner` matches. */
export function coversHost(outer: HostPattern, inner: HostPattern): boolean {
  if (outer.port !== null && outer.port !== inner.port) return false;
  if (!outer.isBelow) return !inner.isBelow && outer.host === inner.host;
  return inner.host.endsWith(`.${outer.host}`) || (inner.isBelow && inner.host === outer.host);
}

/** Whether some host is matched by both. */
export function overlapsHost(one: HostPattern, other: HostPattern): boolean {
  if (one.port !== null && other.port !== null && one.port !== other.port) return false;
  const [first, second] = [one, other].map((pattern) => ({ ...pattern, port: null }));
  return first !== undefined && second !== undefined && (coversHost(first, second) || coversHost(second, first));
}

/** The pattern of the hosts that both match; null: there are none. */
export function meetHost(one: HostPattern, other: HostPattern): HostPattern | null {
  if (!overlapsHost(one, other)) return null;
  const [wide, narrow] = coversHost({ ...one, port: null }, { ...other, port: null }) ? [one, other] : [other, one];
  return { ...narrow, port: narrow.port ?? wide.port };
}

/** A pattern as its author would write it. */
export function formatHostPattern({ host, isBelow, port }: HostPattern): string {
  return `${isBelow ? "*." : ""}${host}${port === null ? "" : `:${String(port)}`}`;
}
