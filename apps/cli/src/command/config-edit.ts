import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveCodexHome } from "@unroll/config";
import { replaceConfigText, unsetConfigKey } from "@unroll/config/upkeep";
import { exitCodes, findPipeFault, type ProcessIo, ProgramError, reportFailure, runEditor } from "@unroll/program";
import { describeWrittenKey } from "@unroll/report";
import { describeSystemError, showHidden, systemErrorCode } from "@unroll/text";
import { setKey as writeKey } from "@unroll/use-cases/config";
import type { CommandRun } from "../run-command.ts";

interface KeyAndValue {
  readonly key: string;
  readonly value: string;
}

/** Returns the exit code. Throws if it cannot be set. */
export async function setKey(set: KeyAndValue, { io, host, print, complain }: CommandRun): Promise<number> {
  const written = await writeKey({ codexHome: resolveCodexHome(io.env, io.cwd), ...set }, { flags: {}, host });
  for (const warning of written.warnings) complain(warning);
  await print(describeWrittenKey(written));
  return exitCodes.completed;
}

/** Returns the exit code: 1 if it is not there. */
export async function unsetKey(key: string, { io, print, complain }: CommandRun): Promise<number> {
  const { file } = findUserFile(io);
  const isRemoved = await unsetConfigKey(file, key);
  if (isRemoved) await print(`Removed ${key} from ${file}.`);
  else complain(`${key} is not set in ${file}.`);
  return isRemoved ? exitCodes.completed : exitCodes.failed;
}

/**
 * Opens a copy of the user's file in their editor, and replaces the file when the editor has ended and the copy can be used.
 * Until then ^C is for the editor. Returns the exit code: 2 if the copy cannot be used; then the copy is kept, and a message names it.
 */
export async function editByHand(io: ProcessIo): Promise<number> {
  const { folder, file } = findUserFile(io);
  const draft = join(folder, `config.draft-${io.pid}.toml`);
  const complain = (text: string): unknown => io.stderr.stream.write(`unroll: ${showHidden(text)}\n`);
  try {
    const before = await readOrNull(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, before ?? "", { mode: 0o600 });
    const fault = await runEditor(draft, io);
    if (fault !== null) throw new ProgramError("input", fault);
    const text = await readFile(draft, "utf8");
    if (text === (before ?? "")) io.stdout.stream.write(`No changes in ${file}.\n`);
    else {
      const warnings = await replaceConfigText(file, { before, draft, text });
      for (const { message } of warnings) complain(message.replaceAll(draft, file));
      io.stdout.stream.write(`Changed ${file}.\n`);
    }
    await rm(draft, { force: true });
    return exitCodes.completed;
  } catch (error) {
    const exitCode = reportFailure(error, io);
    const [was, wrote] = await Promise.all([file, draft].map((path) => readOrNull(path).catch(() => null)));
    if (wrote === (was ?? "")) await rm(draft, { force: true });
    else if (wrote !== null)
      complain(`${file} is unchanged. Your edit is in ${draft}: correct it there, then move it into place.`);
    return exitCode;
  }
}

function findUserFile({ env, cwd }: ProcessIo): { readonly folder: string; readonly file: string } {
  const folder = resolveCodexHome(env, cwd);
  return { folder, file: join(folder, "config.toml") };
}

async function readOrNull(path: string): Promise<string | null> {
  const fault = await findPipeFault(path);
  if (fault !== null) throw new ProgramError("input", `${path} cannot be read: ${fault}.`);
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw new ProgramError("input", `${path} cannot be read: ${describeSystemError(error)}.`, { cause: error });
  }
}
