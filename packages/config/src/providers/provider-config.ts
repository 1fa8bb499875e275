import type { Secret } from "../secret.ts";

/** A server that speaks the Responses API, and how to reach it. Holds no credential that could be printed. */
export interface ProviderConfig {
  /** The name of its `[model_providers.ID]`, or of a built-in one. */
  readonly id: string;
  /** For a person. */
  readonly name: string;
  /** `http:` or `https:`, without a slash at its end, query or user name; `/responses` is put after it. */
  readonly baseUrl: string;
  /** The same for requests with a login in place of a key; null: there is no other address for them. */
  readonly loginBaseUrl: string | null;
  /** Variables that may hold the key, first choice first; the last is the one to name to a person. Empty: it wants no key. */
  readonly envKeys: readonly string[];
  /** How to get a key, for a person who has none; null: unknown. */
  readonly envKeyInstructions: string | null;
  /** From the config file; wins over `envKeys`. */
  readonly bearerToken: Secret | null;
  /** Prints the key, where no variable has one; null: there is none. */
  readonly authCommand: AuthCommand | null;
  /** Whether a login at OpenAI can stand in for the key. */
  readonly requiresOpenaiAuth: boolean;
  /** Whether the server shortens a conversation by itself (`POST /responses/compact`). */
  readonly supportsCompaction: boolean;
  /** Use `resolveRequestParts` to read these three. */
  readonly queryParams: Readonly<Record<string, Secret>>;
  readonly httpHeaders: Readonly<Record<string, Secret>>;
  readonly envHttpHeaders: Readonly<Record<string, string>>;
  /** 0 to 100: retries of a request that did not begin to answer. */
  readonly requestMaxRetries: number;
  /** 0 to 100: retries of a stream that broke off. */
  readonly streamMaxRetries: number;
  /** In ms: the longest silence in a stream. */
  readonly streamIdleTimeoutMs: number;
  /** Azure is the one provider that needs `store: true` and items with their ids. */
  readonly azure: boolean;
}

/** A program that prints a credential. */
export interface AuthCommand {
  /** For messages. */
  readonly configKey: string;
  /** Not empty; no shell is in between. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}
