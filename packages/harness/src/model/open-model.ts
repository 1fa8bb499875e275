import { resolveCredential, type ResolvedConfig, resolveRequestParts } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import {
  createResponsesClient,
  type ReachOutcome,
  type ResponsesClient,
  type ResponsesClientOptions,
} from "@unroll/responses-client";
import { createClock } from "../host/create-clock.ts";
import { explainMissingPath } from "./explain-missing-path.ts";
import { type CredentialContext, type ModelAccess, openCredential } from "./open-credential.ts";

/** The model of a thread, and its provider's list of models, if it has one. */
export interface ListedModel extends ModelClient {
  reach?(signal: AbortSignal): Promise<ReachOutcome>;
}

/** Closing it ends its connections, and waits for a login that is being renewed. */
interface OpenModel extends ListedModel {
  /** The address of its requests, which may differ between a login and a key. */
  readonly baseUrl: string;
  /** As of `ModelAccess`. */
  readonly account: string | null;
  close(): Promise<void>;
}

interface OpenModelContext extends CredentialContext {
  readonly userAgent: string;
  /** See `ResponsesClientOptions`. */
  readonly deltaGapMs?: number | undefined;
  readonly onRateLimits?: ResponsesClientOptions["onRateLimits"];
}

/** The client of the provider that the config names. Throws the errors of `openCredential`. */
async function openModel(config: ResolvedConfig, context: OpenModelContext): Promise<OpenModel> {
  const { client, baseUrl, account, settled } = await openClient(config, context);
  const isOther = config.provider.unnamedModel === "listed";
  return {
    baseUrl,
    account,
    stream(request, signal) {
      const answer = client.stream(request, signal);
      return isOther ? explainMissingPath(answer, { client, baseUrl, signal }) : answer;
    },
    compact: (request, signal) => client.compact(request, signal),
    reach: (signal) => client.reach(signal),
    async close() {
      client.close();
      await settled();
    },
  };
}

type Patience = Pick<ResponsesClientOptions["provider"], "connectTimeoutMs" | "firstByteTimeoutMs" | "idleTimeoutMs">;

/** `baseUrl` and `settled` as in `ModelAccess`; wait for `settled` when the client is closed. */
export async function openClient(
  config: ResolvedConfig,
  context: OpenModelContext,
  patience: Patience = {},
): Promise<Pick<ModelAccess, "baseUrl" | "account" | "settled"> & { readonly client: ResponsesClient }> {
  const { provider } = config;
  const { host, userAgent, deltaGapMs, onRateLimits } = context;
  const { connect } = host;
  const { baseUrl, account, credential, listParams, settled } = await openCredential(config, context);
  const { headers, query } = resolveRequestParts(provider, host.env);
  const client: ResponsesClient = createResponsesClient({
    provider: {
      id: provider.id,
      baseUrl,
      queryParams: query,
      listParams,
      headers,
      threadHeaders: provider.threadHeaders,
      requestMaxRetries: provider.requestMaxRetries,
      streamMaxRetries: provider.streamMaxRetries,
      firstByteTimeoutMs: provider.responseTimeoutMs,
      idleTimeoutMs: provider.streamIdleTimeoutMs,
      startupTimeoutMs: provider.startupTimeoutMs,
      ...patience,
    },
    credential,
    clock: createClock(host),
    random: host.random,
    userAgent,
    originator: /^[\w.-]+/.exec(userAgent)?.[0],
    proxyEnv: host.env,
    connect: connect && (() => connect(baseUrl)),
    deltaGapMs,
    onRateLimits,
  });
  return { client, baseUrl, account, settled };
}

/** The model clients of a harness, one for each provider and credential. Threads share their connections. */
export interface ModelPool extends AsyncDisposable {
  /** Throws `HarnessError` `missing_credential`, and `AuthError` for a login that cannot be used. */
  find(config: ResolvedConfig): Promise<FoundModel>;
}

/** A model client and its address. */
interface FoundModel {
  readonly client: ListedModel;
  readonly baseUrl: string;
  /** As of `ModelAccess`. */
  readonly account: string | null;
}

interface ModelPoolOptions extends OpenModelContext {
  /** Replaces the client of every provider, and is closed by the caller; null: there is none. */
  readonly model: ModelClient | null;
}

export function createModelPool({ model, ...context }: ModelPoolOptions): ModelPool {
  const open = new Map<string, Promise<OpenModel>>();

  async function findOpen(config: ResolvedConfig): Promise<OpenModel> {
    const key = JSON.stringify([config.provider, config.login, resolveCredential(config.provider, context.host.env)]);
    const client = open.get(key) ?? openModel(config, context);
    open.set(key, client);
    try {
      return await client;
    } catch (error) {
      open.delete(key); // the user may log in meanwhile
      throw error;
    }
  }

  return {
    async find(config) {
      if (model !== null) return { client: model, baseUrl: config.provider.baseUrl, account: null };
      const client = await findOpen(config);
      return { client, baseUrl: client.baseUrl, account: client.account };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...open.values()].map(async (each) => (await each.catch(() => null))?.close()));
    },
  };
}
