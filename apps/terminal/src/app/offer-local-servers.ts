import { findBuiltInProvider, type ResolvedConfig } from "@unroll/config";
import { findLocalServers } from "@unroll/harness";
import type { ProgramFlags } from "@unroll/program";
import type { ArgumentChoice } from "../command/terminal-command.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import type { Opening } from "./app.ts";

/** A server on this machine that you could use. */
export interface OfferedServer {
  /** Its option in a choice. */
  readonly option: ArgumentChoice;
  /** The flags that use it; null: you chose none of its models. */
  take(): Promise<ProgramFlags | null>;
}

/** Finds known servers with a model on the ports of `local_ports`. None is used unless you choose it. */
export async function offerLocalServers(
  { driver, flags, signal }: Pick<Opening, "driver" | "flags" | "signal">,
  { localPorts }: Pick<ResolvedConfig, "localPorts">,
): Promise<readonly OfferedServer[]> {
  const servers = await findLocalServers(localPorts, signal);
  return servers.flatMap(({ provider, baseUrl, port, models }): readonly OfferedServer[] => {
    const [first] = models;
    if (provider === null || first === undefined) return [];
    const name = findBuiltInProvider(provider)?.table.name ?? provider;
    const description = models.length === 1 ? first : `${models.length} models: ${models.join(", ")}`;
    const toFlags = (model: string): ProgramFlags => {
      const address = `model_providers.${provider}.base_url=${JSON.stringify(baseUrl)}`;
      return { ...flags, model, oss: true, localProvider: provider, config: [...(flags.config ?? []), address] };
    };
    return [
      {
        option: { value: baseUrl, label: `${name}, port ${port}`, description },
        async take() {
          if (models.length === 1) return toFlags(first);
          const options = models.map((model) => ({ value: model, description: "" }));
          const model = await driver.ask(createChooseFlow({ title: `Which model of ${name}?`, options }), signal);
          return model === null ? null : toFlags(model);
        },
      },
    ];
  });
}
