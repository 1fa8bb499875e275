import type { ServerFeatures, ThreadHeaders } from "@unroll/protocol";
import type { LocalProviderId } from "../keys/config-table.ts";
import type { PresetId } from "../keys/config-table.ts";
import type { Secret } from "../secret.ts";

/** A server that speaks the Responses API, and how to reach it. Holds no credential that could be printed. */
export interface ProviderConfig {
  /** The name of its `[model_providers.ID]`, or of a built-in one. */
  readonly id: string;
  /** The name for users. */
  readonly name: string;
  /**
   * `http:` or `https:`, without a slash at its end, query or user name. Requests go to
   * `/responses` below it.
   */
  readonly baseUrl: string;
  /** The address for requests with a login instead of a key; null: there is none. */
  readonly loginBaseUrl: string | null;
  /**
   * Variables that may hold the key, first choice first. Messages name the last one. Empty: the
   * provider needs no key.
   */
  readonly envKeys: readonly string[];
  /** The header for a key from a variable, in lower case; `authorization` sends it as a bearer token. */
  readonly keyHeader: string;
  /** How to get a key, for a user who has none; null: unknown. */
  readonly envKeyInstructions: string | null;
  /** From the config file; wins over `envKeys`. */
  readonly bearerToken: Secret | null;
  /** The command that prints the key if no variable has one; null: there is none. */
  readonly authCommand: AuthCommand | null;
  /** Whether a login at OpenAI can stand in for the key. */
  readonly requiresOpenaiAuth: boolean;
  /** The only one of these two that is accepted; null: either. */
  readonly loginMethod: "chatgpt" | "api" | null;
  /** Which features of the Responses API it accepts. */
  readonly takes: ServerFeatures;
  /** The preset that says so. Null: no preset; it gets what most servers accept, or what single keys say. */
  readonly preset: PresetId | null;
  /** Features that it was sent before providers had presets; threads saved then continue that way. */
  readonly took: ServerFeatures;
  /** The headers that tell it which requests belong to one thread. */
  readonly threadHeaders: ThreadHeaders;
  /** The program on this machine that serves it and reports its state; null: no known program. */
  readonly local: LocalServer | null;
  /**
   * The model to use if none is named. `default`: unroll's own, at OpenAI. `listed`: the only one
   * that the server lists. `none`: you must name it, because no list gives its name (Azure:
   * deployments).
   */
  readonly unnamedModel: "default" | "listed" | "none";
  /** Read these three with `resolveRequestParts`. */
  readonly queryParams: Readonly<Record<string, Secret>>;
  readonly httpHeaders: Readonly<Record<string, Secret>>;
  readonly envHttpHeaders: Readonly<Record<string, string>>;
  /** 0 to 100: retries of a request that got no response. */
  readonly requestMaxRetries: number;
  /** 0 to 100: retries of a stream that broke off. */
  readonly streamMaxRetries: number;
  /** In ms: from a request to the beginning of its response. */
  readonly responseTimeoutMs: number;
  /** In ms: the longest wait for the next event of a stream. */
  readonly streamIdleTimeoutMs: number;
  /**
   * In ms: how long a request waits for a server that loads its model, has a full queue or
   * restarts; 0: not at all.
   */
  readonly startupTimeoutMs: number;
  /** True for Azure, the only provider that needs `store: true` and items with their ids. */
  readonly azure: boolean;
}

/** A program that runs models on this machine. */
export type LocalServer =
  | {
      readonly type: Extract<LocalProviderId, "ollama" | "lmstudio">;
      /** The first version whose Responses API is complete enough: `0.13.4`. */
      readonly firstVersion: string;
      /** The model of `--oss` if you name none. */
      readonly standardModel: string;
    }
  /** Started with one model; reports no version. */
  | { readonly type: Exclude<LocalProviderId, "ollama" | "lmstudio"> };

/** A program that prints a credential. */
export interface AuthCommand {
  /** The config key that sets it, for messages. */
  readonly configKey: string;
  /** Not empty; no shell runs it. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** In ms: how long its output is used; null: until the server refuses it. */
  readonly refreshMs: number | null;
  /** Absolute; null: the home folder. */
  readonly cwd: string | null;
}
