import { markerVariable, type ProgramFile } from "@unroll/process-tree";
import { quoteArgv } from "@unroll/text";
import { toHostEnvironment } from "../host-environment.ts";
import type { InnerCommand } from "../launch-plan.ts";
import type { BubblewrapBackend } from "../sandbox-backend.ts";
import { doorProgram, portMark, sendmsgNumbers, tunnelProgram } from "./door-program.ts";

/** The command behind a launcher that has none of its variables: one of them could run something there. */
export interface DoorPlan {
  /** Each holds a variable of the command, `NAME=value`, under a name that means nothing to any program. */
  readonly environment: Readonly<Record<string, string>>;
  readonly toArgv: (channelFd: number) => readonly string[];
}

export function planDoor(
  { argv, environment }: InnerCommand,
  perl: ProgramFile,
  { architecture }: BubblewrapBackend,
): DoorPlan {
  const sendmsg = sendmsgNumbers[architecture];
  const own = Object.entries(
    toHostEnvironment({ environment, port: portMark, sshOptions: toSshOptions(perl, sendmsg) }),
  );
  const names = new Set(own.map(([name]) => name));
  const others = Object.entries(environment).filter(([name]) => !names.has(name));
  const variables = [...own, ...others].map(([name, value], index) => [`u${index}`, `${name}=${value}`] as const);
  const marker = environment[markerVariable] ?? "";
  return {
    environment: Object.fromEntries(variables),
    toArgv(channelFd) {
      const numbers = [sendmsg, channelFd, own.length, variables.length].map(String);
      return [perl, "-e", doorProgram, "--", marker, ...numbers, ...argv];
    },
  };
}

function toSshOptions(perl: ProgramFile, sendmsg: number): string {
  const program = quoteArgv([perl, "-e", tunnelProgram.replaceAll("%", "%%"), "--"]);
  return quoteArgv(["-o", "ProxyUseFdpass=yes", "-o", `ProxyCommand=${program} ${portMark} %h %p ${sendmsg}`]);
}
