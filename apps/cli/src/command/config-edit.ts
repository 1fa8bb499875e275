import { join } from "node:path";
import { explainConfig, resolveCodexHome, setConfigKey, unsetConfigKey } from "@unroll/config";
import { createHostEnvironment, exitCodes, type ProcessIo, reportFailure, toConfigSources } from "@unroll/program";
import { showHidden } from "@unroll/text";

interface KeyAndValue {
  readonly key: string;
  readonly value: string;
}

/** Returns the exit code: 2 where it cannot be set. */
export function setKey({ key, value }: KeyAndValue, io: ProcessIo): Promise<number> {
  return edit(io, async (file) => {
    await setConfigKey(file, key, value);
    return describe(key, file, io);
  });
}

/** Returns the exit code: 1 where it is not there. */
export function unsetKey(key: string, io: ProcessIo): Promise<number> {
  return edit(io, async (file) => {
    if (!(await unsetConfigKey(file, key))) {
      io.stderr.stream.write(`unroll: ${showHidden(key)} is not set in ${file}.\n`);
      return null;
    }
    return `Removed ${key} from ${file}.`;
  });
}

/** Null: it is told, and a failure. */
async function edit(io: ProcessIo, run: (file: string) => Promise<string | null>): Promise<number> {
  try {
    const done = await run(join(resolveCodexHome(io.env, io.cwd), "config.toml"));
    if (done === null) return exitCodes.failed;
    io.stdout.stream.write(`${showHidden(done)}\n`);
    return exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}

/** Says so where the value that was written is not the one that counts; on stderr, what is amiss with it. */
async function describe(key: string, file: string, io: ProcessIo): Promise<string> {
  const { keys, warnings } = await explainConfig(await toConfigSources({}, createHostEnvironment(io)), key);
  for (const warning of warnings)
    if (warning.key === key) io.stderr.stream.write(`unroll: ${showHidden(warning.message)}\n`);
  const [only] = keys;
  if (only === undefined || keys.length > 1 || only.origin?.type !== "file") return `Set ${key} in ${file}.`;
  const { path, line } = only.origin;
  if (path === file && only.shadows.length === 0) return `Set ${only.key} = ${only.toml} in ${file}:${line}.`;
  return path === file
    ? `Set ${only.key} = ${only.toml} in ${file}:${line}; it counts over what unroll config explain ${key} shows.`
    : `Set ${key} in ${file}; but here ${path}:${line} sets it to ${only.toml}, which counts.`;
}
