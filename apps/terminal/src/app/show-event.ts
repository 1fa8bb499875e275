import { estimateRequestCost } from "@unroll/accounting";
import type { ThreadEvent } from "@unroll/protocol";
import { toPriceOf } from "@unroll/use-cases/cache";
import { type App, tell } from "./app.ts";
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
  if (isReadOnlyRefusal(app, event)) explainReadOnly(app);
  return showPictures(app, event) ?? room;
}

/** Whether a call failed because the sandbox is read-only and nobody could be asked. */
function isReadOnlyRefusal({ threads }: App, event: ThreadEvent): boolean {
  const { config, isPlanning } = threads.current;
  if (event.type !== "item.completed" || isPlanning || config.sandboxSettings.mode !== "read-only") return false;
  const { item } = event;
  if (item.type === "command_execution") return item.code === "sandbox_denied";
  return item.type === "file_change" && item.status === "declined" && config.approvalPolicy === "never";
}

/** Once for each thread. */
function explainReadOnly(app: App): void {
  if (app.hasExplainedReadOnly) return;
  app.hasExplainedReadOnly = true;
  const how = app.driver.live === null ? "/mode edit" : "Shift+Tab (or /mode edit)";
  tell(app, `This thread is read-only. ${how} lets the model edit in the working folder.`, "muted");
}
