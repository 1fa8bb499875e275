import { exitCodes, needsDemoModel, type ProcessIo, type ProgramFlags } from "@unroll/program";
import { escapeHidden, showHidden } from "@unroll/text";
import { readLogin } from "@unroll/use-cases/login";
import { runConfigCommand } from "../run-config-command.ts";
import { type ContactedHost, listHosts, listUnboundPrograms } from "./list-hosts.ts";

interface HostsFlags extends ProgramFlags {
  readonly json?: boolean;
}

/** Prints the hosts that the config can make it contact. Returns the exit code: 2 for a config that cannot be used. */
export function showHosts({ json, ...flags }: HostsFlags, io: ProcessIo): Promise<number> {
  return runConfigCommand(flags, io, async ({ config, host, print }) => {
    // with a login that cannot be read a run ends before it asks anybody
    const isDemo = await needsDemoModel(config, host).catch(() => false);
    const login = await readLogin(config, host).catch(() => null);
    const hosts = listHosts({ config, env: host.env, isDemo, loginType: login?.status?.type ?? null });
    const programs = listUnboundPrograms({ config });
    const text = json
      ? escapeHidden(JSON.stringify({ hosts, programs }))
      : showHidden(
          [
            ...renderHosts(hosts),
            "",
            "Nobody else, and nothing about you or this run is reported to anybody.",
            "Programs that are run contact whom they like:",
            ...programs.map(({ program, why }) => `  ${program}: ${why}`),
          ].join("\n"),
        );
    print(text);
    return exitCodes.completed;
  });
}

function renderHosts(hosts: readonly ContactedHost[]): readonly string[] {
  const width = Math.max(...hosts.map(({ host }) => host?.length ?? 1));
  return hosts.map(
    ({ host, purpose, why }) => `${(host ?? "?").padEnd(width)}  ${purpose.padEnd("model".length)}  ${why}`,
  );
}
