import {
  describeNoReasoning,
  describeShutdown,
  listNamedSecrets,
  openServerNotes,
  type ResolvedConfig,
  restrictConfig,
} from "@unroll/config";
import type { ConfigSettings } from "../config/config-settings.ts";
import type { PricedModel } from "../guard/thread-budget.ts";
import type { OpenedThread } from "../prefix/cache-break.ts";
import { openThreadServer } from "../server/thread-server.ts";
import { switchSettings } from "../settings/continue-settings.ts";
import { toRecordedSettings } from "../settings/recorded-settings.ts";
import { type AnsweringModel, openServing, type Serving, type ServingOptions, type ThreadRoom } from "./serving.ts";
import type { SharedParts } from "./shared-parts.ts";

/** The model that an open thread is to have, and how its person is asked. */
export interface ModelChoice extends Pick<ServingOptions, "isSent" | "allowsBreak" | "signal"> {
  readonly config: ResolvedConfig | ConfigSettings;
}

/**
 * Lets another model answer an open thread: its requests begin anew, as an epoch of its own. What the thread holds stays, its commands too.
 * Throws what opening a thread with this model throws; the thread goes on with the model that it had then.
 */
export async function changeModel(room: ThreadRoom, before: Serving, choice: ModelChoice): Promise<Serving> {
  const {
    own: { id: threadId },
    shared,
    settings,
    state,
    secrets,
    budget,
  } = room;
  const now = settings.config;
  const { config: wanted, warnings } = switchSettings(await shared.settleConfig("chooseModel", choice.config), now);
  const { model: was, provider } = now;
  const { head } = before.requests;
  const opened = {
    type: "thread.opened",
    threadId,
    model: was,
    provider: provider.id,
    head,
    ...before.server.form,
  } as const;
  const found = await findModel(shared, wanted, opened);
  if (secrets !== null)
    for (const secret of listNamedSecrets(found.config, shared.host.env)) shared.learned.learn(secret);
  const priced = toPriced(shared, now);
  budget.changeModel(toPriced(shared, found.config));
  const undo = settings.changeModel(found.config, () => found.server.takes);
  try {
    const listWarnings = (): readonly string[] => [...warnings, ...listModelWarnings(shared, found.config)];
    const serving = await openServing(room, found, { ...choice, opened, listWarnings });
    state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config) });
    return serving;
  } catch (error) {
    undo();
    budget.changeModel(priced);
    throw error;
  }
}

/** The client of a thread's model, what its server takes, and the config without what it does not take. */
export async function findModel(
  shared: SharedParts,
  config: ResolvedConfig,
  opened: OpenedThread | null,
): Promise<AnsweringModel & { readonly config: ResolvedConfig }> {
  const { codexHome, model, provider } = config;
  const { client, baseUrl } = await shared.models.find(config);
  const served = { providerId: provider.id, baseUrl, model };
  const notes = shared.serverNotes ?? openServerNotes(codexHome);
  const server = await openThreadServer({ notes, served, provider, opened });
  return { model: client, server, config: restrictConfig(config, server.takes) };
}

export function toPriced({ priceOf }: SharedParts, { model, provider, serviceTier }: ResolvedConfig): PricedModel {
  return { model, price: serviceTier === null ? priceOf(model, provider.id) : null }; // lists tell the ordinary tier's
}

/** What a person is warned of who chose this model. */
export function listModelWarnings({ host }: SharedParts, config: ResolvedConfig): readonly string[] {
  return [describeShutdown(config, host.now()), describeNoReasoning(config)].filter((message) => message !== null);
}
