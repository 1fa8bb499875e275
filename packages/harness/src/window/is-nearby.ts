import type { ResolvedConfig } from "@unroll/config";

const nearbyHost =
  /^(localhost|.*\.local(host)?|\[::1\]|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+)$/i;

/** Whether the provider is a server on this machine or in its network: one that somebody started with a context window of its own. */
export function isNearby({ baseUrl, local }: ResolvedConfig["provider"]): boolean {
  return local !== null || nearbyHost.test(URL.parse(baseUrl)?.hostname ?? "");
}
