import { forgetServerNotes, keepProviderList, type ResolvedConfig } from "@unroll/config";
import { reachProvider } from "@unroll/harness";
import { createHostEnvironment, type ProcessIo, toUserAgent } from "@unroll/program";
import { showHidden } from "@unroll/text";

interface Asking {
  readonly io: ProcessIo;
  readonly signal: AbortSignal;
}

/** Asks the provider for its list and keeps it. Returns whether it gave one; what went wrong is told on stderr. */
export async function refreshModels(config: ResolvedConfig, { io, signal }: Asking): Promise<boolean> {
  const { codexHome, provider } = config;
  const host = createHostEnvironment(io);
  const say = (text: string): unknown => io.stderr.stream.write(`unroll: ${showHidden(text)}\n`);
  const outcome = await reachProvider(config, { host, userAgent: toUserAgent("unroll_models", host), signal });
  switch (outcome.type) {
    case "aborted":
      return false;
    case "failed":
      say(outcome.error.message);
      return false;
    case "no_list":
      say(`${provider.name} has no list of models at ${outcome.baseUrl}/models (${outcome.status}).`);
      return false;
    case "reached": {
      if (outcome.models === null) {
        say(`${provider.name} answers at ${outcome.baseUrl}/models, but not with a list of models.`);
        return false;
      }
      const { tables } = await keepProviderList(codexHome, provider.id, outcome.entries);
      await forgetServerNotes(codexHome, provider.id);
      const count = Object.keys(tables).length;
      say(`${provider.name} lists ${count} ${count === 1 ? "model" : "models"}.`);
      return true;
    }
  }
}
