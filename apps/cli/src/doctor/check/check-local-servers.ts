import { findBuiltInProvider } from "@unroll/config";
import { findLocalServers, type FoundServer } from "@unroll/harness";
import { type Finding, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./doctor-run.ts";

/** Looks which servers of models listen on this machine. None of them is used by that. */
export async function checkLocalServers({
  config,
  signal,
}: Pick<ConfiguredRun, "config" | "signal">): Promise<readonly Finding[]> {
  const { localPorts } = config;
  if (localPorts.length === 0) return [toFinding("local", "skipped", "local_ports is empty, so nobody was asked.")];
  const servers = await findLocalServers(localPorts, signal);
  if (servers.length > 0) return servers.map(toServerFinding);
  return [toFinding("local", "ok", `No model server answers on this machine, at port ${localPorts.join(", ")}.`)];
}

function toServerFinding(server: FoundServer): Finding {
  const { provider, baseUrl, models } = server;
  const builtIn = provider === null ? null : findBuiltInProvider(provider);
  const name = builtIn?.table.name ?? "A server with a list of models";
  const has = models.length === 0 ? "and lists no model" : `with ${toExamples(models)}`;
  const remedy = `To use it: ${toCommand(server, builtIn?.table.base_url ?? "")}`;
  return { ...toFinding("local", "ok", `${name} answers at ${baseUrl}, ${has}.`), remedy };
}

function toCommand({ provider, port, baseUrl, models }: FoundServer, usualUrl: string): string {
  const [model = "MODEL"] = models;
  const named = models.length === 1 ? "" : ` -m ${model}`;
  if (provider === null) {
    return `unroll -c model_provider=mine -c model_providers.mine.base_url=${baseUrl} -m ${model}`;
  }
  const place = new URL(usualUrl).port === String(port) ? "" : `CODEX_OSS_PORT=${port} `;
  return `${place}unroll --local-provider ${provider}${named}`;
}

const mostShown = 5;

function toExamples(models: readonly string[]): string {
  const more = models.length > mostShown ? ` and ${models.length - mostShown} more` : "";
  return `${models.slice(0, mostShown).join(", ")}${more}`;
}
