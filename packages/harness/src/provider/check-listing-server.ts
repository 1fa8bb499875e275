import * as z from "zod";
import type { LocalServer } from "./local-server.ts";
import { listThere, type ProviderHealth } from "./provider-health.ts";

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

export interface ListingWish {
  /** Null: nobody named one. */
  readonly model: string | null;
  /** For a person. */
  readonly name: string;
  /** It answers for its model whatever it is called. */
  readonly takesAnyName: boolean;
}

/** A server that was started with its models and says no more than their names. One that still loads is taken as it is: the first request waits. */
export async function checkListingServer(server: LocalServer, wish: ListingWish): Promise<ProviderHealth> {
  const ready: ProviderHealth = { type: "ready", version: null };
  const answer = modelsSchema.safeParse((await server.ask("/v1/models")).json);
  const { model, name, takesAnyName } = wish;
  if (!answer.success || model === null || takesAnyName) return ready;
  const models = answer.data.data.map(({ id }) => id);
  if (models.length === 0 || models.includes(model)) return ready;
  const message = `${name} at ${server.origin} does not have the model ${model}: name another one with -m, or start it with that one. ${listThere(models)}`;
  return { type: "model_missing", message, model, models, canPull: false };
}
