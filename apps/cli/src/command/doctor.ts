import { addSettingFlags } from "@unroll/program";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import type { DoctorFlags } from "../doctor/run-doctor.ts";

interface HostsFlag extends DoctorFlags {
  readonly hosts?: boolean;
}

/** `unroll doctor`: what works here, and what to do about the rest. */
export function addDoctorCommand(program: Command, { launch }: CommandContext): void {
  addSettingFlags(program.command("doctor"))
    .description("check your setup and suggest fixes (docs/doctor.md)")
    .option("--hosts", "list the hosts that unroll may contact with this config, without contacting them")
    .option("--json", "as JSON")
    .action(({ hosts, ...flags }: HostsFlag) =>
      launch(async (run) =>
        hosts
          ? (await import("../doctor/show-hosts.ts")).showHosts(flags, run)
          : (await import("../doctor/run-doctor.ts")).runDoctor(flags, run),
      ),
    );
}
