import { exitCodes, loadProgramConfig, needsDemoModel } from "@unroll/program";
import { renderTable, type TableColumn } from "@unroll/report";
import { readLogin } from "@unroll/use-cases/login";
import type { CommandRun } from "../run-command.ts";
import { type ContactedHost, listHosts, listUnboundPrograms } from "./list-hosts.ts";
import type { DoctorFlags } from "./run-doctor.ts";

const columns: readonly TableColumn<ContactedHost>[] = [
  { value: ({ host }) => host ?? "?" },
  { least: "model".length, value: ({ purpose }) => purpose },
  { value: ({ why }) => why },
];

/** Prints the hosts that the config can make it contact. Returns the exit code. */
export async function showHosts(
  { json, ...flags }: DoctorFlags,
  { host, columns: width, printFolded, printJson }: CommandRun,
): Promise<number> {
  const config = await loadProgramConfig(flags, host);
  // with a login that cannot be read a run ends before it asks anybody
  const isDemo = await needsDemoModel(config, host).catch(() => false);
  const login = await readLogin(config, host).catch(() => null);
  const hosts = listHosts({ config, env: host.env, isDemo, loginType: login?.status?.type ?? null });
  const programs = listUnboundPrograms({ config });
  if (json) await printJson({ hosts, programs });
  else {
    const lines = [
      ...renderTable(hosts, { layouts: [columns], width }).lines,
      "",
      "No other host is contacted. unroll sends no telemetry.",
      "Programs that unroll runs may contact any host:",
      ...programs.map(({ program, why }) => `  ${program}: ${why}`),
    ];
    await printFolded(lines.join("\n"));
  }
  return exitCodes.completed;
}
