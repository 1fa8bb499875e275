import { isJsonObject, type JsonObject } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise, RefusedRequest } from "./guise.ts";

interface OpenAiGuiseOptions {
  /** Models that do not reason: there is no encrypted reasoning to include. Absent: all reason. */
  readonly plainModels?: readonly string[];
  /** Whether the organization has shown who it is, which summaries of the reasoning are only for. Absent: yes. */
  readonly isVerified?: boolean;
}

/** OpenAI, as strict as it is about what a model or an account does not have. */
export function createOpenAiGuise({ plainModels = [], isVerified = true }: OpenAiGuiseOptions): Guise {
  return {
    answer: () => null,
    refuse: ({ fields }) => {
      const { model, include, reasoning } = fields;
      const isPlain = typeof model === "string" && plainModels.includes(model);
      if (isPlain && Array.isArray(include) && include.includes("reasoning.encrypted_content"))
        return refuse({ message: "Encrypted content is not supported with this model.", param: "include", code: null });
      if (isVerified || !isJsonObject(reasoning) || !("summary" in reasoning)) return null;
      const message =
        "Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.";
      return refuse({ message, param: "reasoning.summary", code: "unsupported_value" });
    },
  };
}

function refuse(error: JsonObject): RefusedRequest {
  const body = { error: { ...error, type: "invalid_request_error" } };
  return { answer: { status: 400, body }, endsEpoch: false };
}

interface AzureGuiseOptions {
  /** The one key that it takes, in `api-key` or as bearer token. */
  readonly key: string;
  /** The `api-version` that the query must have outside of `/openai/v1`. */
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
  };
}

interface ChatgptGuiseOptions {
  /** The models in the list of `/models`, in its own form. */
  readonly models: readonly ({ readonly slug: string } & Readonly<Record<string, unknown>>)[];
  /** Whether a token is good. Absent: any. */
  readonly takesToken?: (token: string) => boolean;
}

const root = "/backend-api/codex";

/**
 * The server behind a ChatGPT login: tokens only, its own paths, and a list of models for a client that sends its
 * version.
 */
export function createChatgptGuise({ models, takesToken = () => true }: ChatgptGuiseOptions): Guise {
  return {
    answer({ method, url, headers }) {
      const { pathname, searchParams } = new URL(url, "http://chatgpt");
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
      if (token === undefined || token.startsWith("sk-") || !takesToken(token)) return toDetail(401, "Unauthorized");
      if (method === "POST" && pathname === `${root}/responses`) return null;
      if (method === "POST" && pathname === `${root}/responses/compact`) return null;
      if (method !== "GET" || pathname !== `${root}/models`) return toDetail(404, "Not Found");
      const isVersioned = /^\d+\.\d+\.\d+$/.test(searchParams.get("client_version") ?? "");
      return isVersioned ? { status: 200, body: { models } } : toDetail(400, "client_version is required");
    },
  };
}

function toDetail(status: number, detail: string): HttpTurn {
  return { status, body: { detail } };
}
