import { join } from "node:path";
import { resolveCodexHome, unsetConfigKey } from "@unroll/config";
import { createHostEnvironment, exitCodes, type ProcessIo, reportFailure } from "@unroll/program";
import { describeWrittenKey } from "@unroll/report";
import { showHidden } from "@unroll/text";
import { setKey as setKeyOf } from "@unroll/use-cases/config";

interface KeyAndValue {
  readonly key: string;
  readonly value: string;
}

/** Returns the exit code: 2 where it cannot be set. */
export function setKey({ key, value }: KeyAndValue, io: ProcessIo): Promise<number> {
  return edit(io, async (codexHome) => {
    const written = await setKeyOf({ codexHome, key, value }, { flags: {}, host: createHostEnvironment(io) });
    for (const warning of written.warnings) io.stderr.stream.write(`unroll: ${showHidden(warning)}\n`);
    return describeWrittenKey(written);
  });
}

/** Returns the exit code: 1 where it is not there. */
export function unsetKey(key: string, io: ProcessIo): Promise<number> {
  return edit(io, async (codexHome) => {
    const file = join(codexHome, "config.toml");
    if (!(await unsetConfigKey(file, key))) {
      io.stderr.stream.write(`unroll: ${showHidden(key)} is not set in ${file}.\n`);
      return null;
    }
    return `Removed ${key} from ${file}.`;
  });
}

/** Null: it is told, and a failure. */
async function edit(io: ProcessIo, run: (codexHome: string) => Promise<string | null>): Promise<number> {
  try {
    const done = await run(resolveCodexHome(io.env, io.cwd));
    if (done === null) return exitCodes.failed;
    io.stdout.stream.write(`${showHidden(done)}\n`);
    return exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}
