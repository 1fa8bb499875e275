import type { Guise } from "./guise.ts";

export interface AzureGuiseOptions {
  /** The one key that it takes, in `api-key` or as bearer token. */
  readonly key: string;
  /** What the query must say outside of `/openai/v1`. */
  readonly apiVersion: string;
}

/** Azure OpenAI: a key in its own header, a version in the query, responses that are stored. */
export function createAzureGuise({ key, apiVersion }: AzureGuiseOptions): Guise {
  return {
    checks: { store: true },
    answer({ url, headers }) {
      const { pathname, searchParams } = new URL(url, "http://azure");
      if (headers["api-key"] !== key && headers.authorization !== `Bearer ${key}`) {
        const message = "Access denied due to invalid subscription key or wrong API endpoint.";
        return { status: 401, body: { error: { code: "401", message } } };
      }
      const isVersioned = pathname.startsWith("/openai/v1/") || searchParams.get("api-version") === apiVersion;
      return isVersioned ? null : { status: 404, body: { error: { code: "404", message: "Resource not found" } } };
    },
    findUnsupported: () => [],
  };
}
