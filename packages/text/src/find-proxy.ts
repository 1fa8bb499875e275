/** The proxy of a request. */
export interface ProxySetting {
  /** The variable that names it. */
  readonly variable: string;
  /** Host and port, without the user and password that the variable may hold. Null: the variable names no HTTP proxy. */
  readonly host: string | null;
}

/**
 * The proxy that `http_proxy`, `https_proxy` and `no_proxy` set for a URL, as Node's agents read them
 * (https://nodejs.org/api/http.html#built-in-proxy-support). They ignore a value that they cannot use, such as a SOCKS proxy or
 * one without `http://`: the request would bypass the proxy. Null: none is set, or `no_proxy` excludes the host.
 */
export function findProxy(url: URL, env: Readonly<Record<string, string | undefined>>): ProxySetting | null {
  const lower = `${url.protocol.slice(0, -1)}_proxy`;
  const variable = env[lower] ? lower : lower.toUpperCase();
  const value = env[variable] ?? "";
  if (value.trim() === "" || isExcluded(url, env["no_proxy"] || env["NO_PROXY"] || "")) return null;
  const proxy = /^https?:\/\//.test(value) ? URL.parse(value) : null;
  return { variable, host: proxy === null ? null : proxy.host };
}

function isExcluded({ protocol, hostname, port }: URL, list: string): boolean {
  const host = hostname.toLowerCase();
  const withPort = `${host}:${port || (protocol === "https:" ? "443" : "80")}`;
  const entries = list.split(",").map((entry) => entry.trim().toLowerCase());
  return entries.some((entry) => {
    if (["*", host, withPort, `.${host}`].includes(entry)) return true;
    if (/^\*?\../.test(entry)) return host.endsWith(entry.replace(/^\*/, ""));
    return isInRange(host, entry);
  });
}

/** `10.0.0.1-10.0.0.99`. */
function isInRange(host: string, range: string): boolean {
  const [at = null, from = null, to = null] = [host, ...range.split("-")].map(toNumber);
  return at !== null && from !== null && to !== null && from <= at && at <= to;
}

/** Null: it is not an IPv4 address. */
function toNumber(address: string): number | null {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(address.trim())) return null;
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
