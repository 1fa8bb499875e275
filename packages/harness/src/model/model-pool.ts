import { resolveCredential, type ResolvedConfig } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import { type ListedModel, type OpenModel, openModel, type OpenModelContext } from "./open-model.ts";

/** The model clients of a harness, one for each provider and credential: its threads share the connections. */
export interface ModelPool extends AsyncDisposable {
  /** Throws `HarnessError` `missing_credential`, and `AuthError` for a login that cannot be used. */
  find(config: ResolvedConfig): Promise<FoundModel>;
}

/** A model client and the address that it goes to. */
interface FoundModel {
  readonly client: ListedModel;
  readonly baseUrl: string;
}

export interface ModelPoolOptions extends OpenModelContext {
  /** Stands in for the client of every provider, and stays the caller's to close; null: none does. */
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
      open.delete(key); // a person may log in meanwhile
      throw error;
    }
  }

  return {
    async find(config) {
      if (model !== null) return { client: model, baseUrl: config.provider.baseUrl };
      const client = await findOpen(config);
      return { client, baseUrl: client.baseUrl };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...open.values()].map(async (each) => (await each.catch(() => null))?.close()));
    },
  };
}
