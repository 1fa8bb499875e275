import { addSettingFlags, type ProgramFlags } from "@unroll/program";
import { type Command, Option } from "commander";
import type { CommandContext } from "../command-context.ts";

interface DoctorFlags extends ProgramFlags {
  readonly json?: boolean;
  readonly hosts?: boolean;
}

/** `unroll doctor`: what works here, and what to do about the rest. */
export function addDoctorCommand(program: Command, { io, exit }: CommandContext): void {
  addSettingFlags(program.command("doctor"))
    .description("try out what a run needs, and say what to do about what does not work (docs/doctor.md)")
    .addOption(new Option("--hosts", "only list the hosts that this config can make it contact, and ask none"))
    .option("--json", "as JSON")
    .action(async ({ hosts, ...flags }: DoctorFlags) =>
      exit(
        hosts
          ? await (await import("../doctor/show-hosts.ts")).showHosts(flags, io)
          : await (await import("../doctor/run-doctor.ts")).runDoctor(flags, io),
      ),
    );
}
