import { type App, tell } from "./app.ts";

/** Says once, at the start, where commands would be refused for want of a sandbox, with what is to be done. */
export async function tellSandbox(app: App): Promise<void> {
  const { conversation, host } = app;
  if (conversation.config.sandboxSettings.mode === "danger-full-access") return;
  const { openSandbox } = await import("@unroll/harness");
  await using sandbox = await openSandbox(conversation.config, host);
  const { refusal } = await sandbox.explain();
  if (refusal === null) return;
  tell(app, `Commands will be refused: ${refusal.replace(/^The command was not run: /, "")}`, "warning");
}
