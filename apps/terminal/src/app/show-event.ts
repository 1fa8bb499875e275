import { estimateRequestCost } from "@unroll/accounting";
import type { ThreadEvent } from "@unroll/protocol";
import { toPriceOf } from "@unroll/use-cases/cache";
import type { App } from "./app.ts";
import { showPictures, showSentPictures } from "./show-pictures.ts";

/** Shows an event, and adds up the cost of requests. The promise resolves when there is room for the next event. */
export function showEvent(app: App, event: ThreadEvent): Promise<void> | void {
  if (event.type === "request.completed") {
    const { config } = app.threads.current;
    const { model, provider, serviceTier } = config;
    const cost = estimateRequestCost(event, toPriceOf(config)({ model, provider: provider.id, serviceTier }));
    app.costUsd = app.costUsd === null || cost === null ? null : app.costUsd + cost.withCache;
  }
  const room = app.driver.apply(event);
  if (event.type === "input.received") showSentPictures(app.driver, event.input);
  return showPictures(app, event) ?? room;
}
