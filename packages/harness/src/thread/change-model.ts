import {
  describeNoReasoning,
  describeShutdown,
  listNamedSecrets,
  openServerNotes,
  type ResolvedConfig,
  restrictConfig,
} from "@unroll/config";
import type { ConfigSettings } from "../settings/settle-config.ts";
import type { PricedModel } from "../guard/thread-budget.ts";
import type { OpenedThread } from "../cache-break.ts";
import { openThreadServer } from "../server/thread-server.ts";
import { carryAccount, switchSettings, toRecordedSettings } from "../settings/continue-settings.ts";
import { type AnsweringModel, openServing, type Serving, type ServingOptions, type ThreadRoom } from "./serving.ts";
import type { SharedParts } from "../base/shared-parts.ts";

/** The model that an open thread is to have, and how its person is asked. */
export interface ModelChoice extends Pick<ServingOptions, "isSent" | "allowsBreak" | "fallback" | "signal"> {
  readonly config: ResolvedConfig | ConfigSettings;
}

/**
 * Switches the model of an open thread, as a new epoch. Everything else of the thread stays,
 * including its commands. Throws the errors of opening a thread with this model; the thread then
 * keeps its earlier model.
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
  const { model, provider } = settings.config;
  const { head } = before.requests;
  const opened = {
    type: "thread.opened",
    threadId,
    model,
    provider: provider.id,
    head,
    ...before.server.form,
  } as const;
  const wanted = carryAccount(await shared.settleConfig("chooseModel", choice.config), settings.config);
  const found = await findModel(shared, wanted, opened);
  const now = settings.config; // as it is by now: settings may have changed since
  const { config, warnings } = switchSettings(restrictConfig(wanted, found.server.takes), now);
  if (secrets !== null) for (const secret of listNamedSecrets(config, shared.host.env)) shared.learned.learn(secret);
  budget.changeModel(toPriced(shared, config));
  const undo = settings.changeModel(config, () => found.server.takes);
  let { account } = before;
  try {
    const listWarnings = (): readonly string[] => [...warnings, ...listModelWarnings(shared, config)];
    const serving = await openServing(room, found, { ...choice, opened, accountBefore: before.account, listWarnings });
    ({ account } = found);
    return serving;
  } catch (error) {
    undo();
    budget.changeModel(toPriced(shared, now));
    throw error;
  } finally {
    state.journal.record({ type: "settings", settings: toRecordedSettings(settings.config, account) });
  }
}

/** The client of the config's model, and what its server takes. */
export async function findModel(
  { models, serverNotes }: SharedParts,
  config: ResolvedConfig,
  opened: OpenedThread | null,
): Promise<AnsweringModel> {
  const { codexHome, model: name, provider } = config;
  const { client: model, baseUrl, account } = await models.find(config);
  const served = { providerId: provider.id, baseUrl, model: name };
  const notes = serverNotes ?? openServerNotes(codexHome);
  return { model, account, server: await openThreadServer({ notes, served, provider, opened }) };
}

export function toPriced({ priceOf }: SharedParts, { model, provider, serviceTier }: ResolvedConfig): PricedModel {
  return { model, price: serviceTier === null ? priceOf(model, provider.id) : null }; // lists tell the ordinary tier's
}

/** Warnings for the user about the chosen model. */
export function listModelWarnings({ host }: SharedParts, config: ResolvedConfig): readonly string[] {
  return [describeShutdown(config, host.now()), describeNoReasoning(config)].filter((message) => message !== null);
}
