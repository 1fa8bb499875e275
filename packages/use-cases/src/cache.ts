import { accountThread, accountTree, type PriceOf, type ThreadAccount, type TreeAccount } from "@unroll/accounting";
import { builtInCatalogue, ConfigError, findModelPrice, listNamedSecrets } from "@unroll/config";
import type { Host, ResolvedConfig } from "@unroll/harness";
import { loadProgramConfig } from "@unroll/program";
import type { JournalEntry, ThreadStore, ThreadUpkeep } from "@unroll/protocol";
import { createSecretMask } from "@unroll/text";
import { loadAgents } from "./load-agents.ts";

/** An open thread's usage, cached tokens, causes of misses, and cost by its own config. */
export function reportCache(
  entries: readonly JournalEntry[],
  config: Pick<ResolvedConfig, "catalogue">,
): ThreadAccount {
  return accountThread(entries, toPriceOf(config));
}

interface SavedTree {
  readonly account: ThreadAccount;
  readonly tree: TreeAccount;
}

/**
 * The same of a saved thread, by the user's prices, with its sub-agents, also those of undone turns. Credentials in their names
 * are masked.
 */
export async function reportSavedTree(
  entries: readonly JournalEntry[],
  host: Host,
  store: Pick<ThreadStore, "load"> & { readonly upkeep: Pick<ThreadUpkeep, "listOpen"> },
): Promise<SavedTree> {
  const config = await readConfig(host);
  const priceOf = toPriceOf(config);
  const account = accountThread(entries, priceOf);
  const open = new Set((await store.upkeep.listOpen()).map(({ threadId }) => threadId));
  const load = async (threadId: string): Promise<readonly JournalEntry[]> => (await store.load(threadId)).entries;
  const { agents, total } = await accountTree({ entries, account }, loadAgents(entries, { load, keptOnly: false }), {
    priceOf,
    open,
  });
  const { mask } = createSecretMask("provider" in config ? listNamedSecrets(config, host.env) : []);
  return { account, tree: { agents: agents.map((agent) => ({ ...agent, name: mask(agent.name) })), total } };
}

/** The prices of models by a catalogue, which has only those of the ordinary service tier. */
export function toPriceOf({ catalogue }: Pick<ResolvedConfig, "catalogue">): PriceOf {
  return ({ model, provider, serviceTier }) =>
    serviceTier === null ? findModelPrice(catalogue, model, provider) : null;
}

/** By the user's catalogue; a config that cannot be used keeps nobody from looking at threads: then by the built-in one. */
export async function readPrices(host: Host): Promise<PriceOf> {
  return toPriceOf(await readConfig(host));
}

async function readConfig(host: Host): Promise<ResolvedConfig | Pick<ResolvedConfig, "catalogue">> {
  return loadProgramConfig({}, host).catch((error: unknown) => {
    if (error instanceof ConfigError) return { catalogue: builtInCatalogue };
    throw error;
  });
}
