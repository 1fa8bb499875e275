import { toNative } from "@unroll/files";
import { markerVariable, type ProgramFile } from "@unroll/process-tree";
import { quoteArgv } from "@unroll/text";
import { toHostEnvironment } from "../host-environment.ts";
import type { InnerCommand } from "../launch-plan.ts";
import type { BubblewrapBackend } from "../sandbox-backend.ts";
import { doorProgram, portMark, sendmsgNumbers, tunnelProgram } from "./door-program.ts";

/** The command behind a launcher that has none of its variables: one of them could run something there. */
export interface DoorPlan {
  /** The variables, for a descriptor of their own. */
  readonly environment: Uint8Array;
  /** The status descriptor comes after that one, and the channel after both. */
  readonly toArgv: (environmentFd: number) => readonly string[];
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
  const others = Object.entries(environment).filter(([name]) => !own.some(([known]) => known === name));
  const text = [...own, ...others].map(([name, value]) => `${name}=${value}\0`).join("");
  const marker = environment[markerVariable] ?? "";
  return {
    environment: Buffer.from(toNative(text)),
    toArgv(environmentFd) {
      const numbers = [sendmsg, environmentFd, environmentFd + 2].map(String);
      return [perl, "-e", doorProgram, "--", ...numbers, marker, String(own.length), ...argv];
    },
  };
}

function toSshOptions(perl: ProgramFile, sendmsg: number): string {
  const program = quoteArgv([perl, "-e", tunnelProgram.replaceAll("%", "%%"), "--"]);
  return quoteArgv(["-o", "ProxyUseFdpass=yes", "-o", `ProxyCommand=${program} ${portMark} %h %p ${sendmsg}`]);
}
