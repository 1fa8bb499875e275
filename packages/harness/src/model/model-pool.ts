import { resolveCredential, type ResolvedConfig } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import type { HostEnvironment } from "../host/host-environment.ts";
import { openModel, type OpenModel } from "./open-model.ts";

/** The model clients of a harness, one for each provider and credential: its threads share the connections. */
export interface ModelPool extends Disposable {
  /** Throws `HarnessError` `missing_credential`. */
  find(config: ResolvedConfig): ModelClient;
}

export interface ModelPoolOptions {
  readonly host: HostEnvironment;
  readonly userAgent: string;
  /** Stands in for the client of every provider, and stays the caller's to close; null: none does. */
  readonly model: ModelClient | null;
}

export function createModelPool({ host, userAgent, model }: ModelPoolOptions): ModelPool {
  const open = new Map<string, OpenModel>();

  function findOpen(config: ResolvedConfig): OpenModel {
    const key = JSON.stringify([config.provider, resolveCredential(config.provider, host.env)]);
    const client = open.get(key) ?? openModel(config, host, userAgent);
    open.set(key, client);
    return client;
  }

  return {
    find: (config) => model ?? findOpen(config),
    [Symbol.dispose]() {
      for (const each of open.values()) each.close();
    },
  };
}
