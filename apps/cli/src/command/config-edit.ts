import { join } from "node:path";
import { resolveCodexHome, unsetConfigKey } from "@unroll/config";
import { createHost, exitCodes, type ProcessIo } from "@unroll/program";
import { describeWrittenKey } from "@unroll/report";
import { showHidden } from "@unroll/text";
import { setKey as setKeyOf } from "@unroll/use-cases/config";
import { runCommand } from "../run-config-command.ts";

interface KeyAndValue {
  readonly key: string;
  readonly value: string;
}

/** Returns the exit code: 2 where it cannot be set. */
export function setKey(set: KeyAndValue, io: ProcessIo): Promise<number> {
  return runCommand(io, async ({ print, complain }) => {
    const codexHome = resolveCodexHome(io.env, io.cwd);
    const written = await setKeyOf({ codexHome, ...set }, { flags: {}, host: createHost(io) });
    for (const warning of written.warnings) complain(warning);
    print(showHidden(describeWrittenKey(written)));
    return exitCodes.completed;
  });
}

/** Returns the exit code: 1 where it is not there. */
export function unsetKey(key: string, io: ProcessIo): Promise<number> {
  return runCommand(io, async ({ print, complain }) => {
    const file = join(resolveCodexHome(io.env, io.cwd), "config.toml");
    const isRemoved = await unsetConfigKey(file, key);
    if (isRemoved) print(showHidden(`Removed ${key} from ${file}.`));
    else complain(`${key} is not set in ${file}.`);
    return isRemoved ? exitCodes.completed : exitCodes.failed;
  });
}
