import type { ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import type { LocalProviderId } from "../keys/config-table.ts";
import type { PresetId } from "../keys/config-table.ts";
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
  /** Where a key of a variable is sent, in lower case; in `authorization` as a bearer token. */
  readonly keyHeader: string;
  /** How to get a key, for a person who has none; null: unknown. */
  readonly envKeyInstructions: string | null;
  /** From the config file; wins over `envKeys`. */
  readonly bearerToken: Secret | null;
  /** Prints the key, where no variable has one; null: there is none. */
  readonly authCommand: AuthCommand | null;
  /** Whether a login at OpenAI can stand in for the key. */
  readonly requiresOpenaiAuth: boolean;
  /** Of these two the only one that counts; null: either. */
  readonly loginMethod: "chatgpt" | "api" | null;
  /** What it takes of the Responses API. */
  readonly takes: ServerFeatures;
  /** Which preset says so; null: none does, so it gets what most servers take, or what single keys say. */
  readonly preset: PresetId | null;
  /** What it was sent before providers had presets: threads that were kept then go on so. */
  readonly took: ServerFeatures;
  /** How it is told which requests belong to one thread. */
  readonly threadHeaders: ThreadHeaders;
  /** The program that serves it on this machine, which can be asked how it is; null: it is none that we know. */
  readonly local: LocalServer | null;
  /**
   * Which model is meant where nobody names one. `default`: that of unroll, at OpenAI. `listed`: the only one that the server lists.
   * `none`: it has to be named, since a list does not say what it is called (Azure: deployments).
   */
  readonly unnamedModel: "default" | "listed" | "none";
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
  /** In ms: how long a request waits for a server that loads its model, has a full queue, or starts anew; 0: not at all. */
  readonly startupTimeoutMs: number;
  /** Azure is the one provider that needs `store: true` and items with their ids. */
  readonly azure: boolean;
}

/** A program that runs models on this machine. */
export type LocalServer =
  | {
      readonly type: Extract<LocalProviderId, "ollama" | "lmstudio">;
      /** The first that speaks the Responses API well enough: `0.13.4`. */
      readonly firstVersion: string;
      /** The model of `--oss`, where no other one is named. */
      readonly standardModel: string;
    }
  /** It is started with a model, and says no version. */
  | { readonly type: Exclude<LocalProviderId, "ollama" | "lmstudio"> };

/** A program that prints a credential. */
export interface AuthCommand {
  /** For messages. */
  readonly configKey: string;
  /** Not empty; no shell is in between. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** In ms: how old what it printed may become; null: until it is refused. */
  readonly refreshMs: number | null;
  /** Absolute; null: the home folder. */
  readonly cwd: string | null;
}
