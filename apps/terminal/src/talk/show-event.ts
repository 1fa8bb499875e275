import { estimateRequestCost } from "@unroll/accounting";
import type { ThreadEvent } from "@unroll/protocol";
import { toPriceOf } from "../text/to-price-of.ts";
import type { Talk } from "./talk.ts";

/** Shows what the thread told, and counts what it cost. */
export function showEvent({ conversation, desk }: Pick<Talk, "conversation" | "desk">, event: ThreadEvent): void {
  const { surface } = desk;
  if (event.type === "request.completed") {
    const { model, provider, serviceTier } = conversation.config;
    const price = toPriceOf(conversation.config)({ model, provider: provider.id, serviceTier });
    const cost = estimateRequestCost(event, price);
    surface.costUsd = surface.costUsd === null || cost === null ? null : surface.costUsd + cost.withCache;
  }
  surface.transcript?.apply(event);
  surface.loop.request();
}
