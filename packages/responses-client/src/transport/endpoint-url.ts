import type { ProviderEndpoint } from "../port/provider-endpoint.ts";

/** The address of an endpoint: `base_url`, the path, then `query_params` over a query that `base_url` holds. */
export function toEndpointUrl(
  { baseUrl, queryParams }: Pick<ProviderEndpoint, "baseUrl" | "queryParams">,
  path: string,
): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  for (const [name, value] of Object.entries(queryParams)) url.searchParams.set(name, value);
  return url;
}
