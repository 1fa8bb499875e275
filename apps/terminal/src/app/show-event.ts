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
  explainRefusal(app, event);
  return showPictures(app, event) ?? room;
}

/** Once for each thread. */
function explainRefusal(app: App, event: ThreadEvent): void {
  const { config, isPlanning } = app.threads.current;
  const { sandboxSettings, approvalPolicy } = config;
  const refusal = app.refusals.see(event, { sandboxMode: sandboxSettings.mode, approvalPolicy, isPlanning });
  const key = app.driver.showKey("chat.next_permission_mode");
  const how = key === null ? "/mode edit" : `${key} (or /mode edit)`;
  if (refusal === "read_only")
    tell(app, `This thread is read-only. ${how} lets the model edit in the working folder.`, "muted");
  if (refusal === "always_asks")
    tell(app, `The approval policy ${approvalPolicy} asks before each edit: /approvals changes it.`, "muted");
}
