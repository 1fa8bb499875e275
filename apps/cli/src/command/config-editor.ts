import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceConfigText, resolveCodexHome } from "@unroll/config";
import { exitCodes, findPipeFault, type ProcessIo, ProgramError, reportFailure, runEditor } from "@unroll/program";
import { describeSystemError, showHidden, systemErrorCode } from "@unroll/text";

/**
 * Opens a copy of the user's file in their editor, and puts it in its place when that has ended and the copy can be used.
 * Returns the exit code: 2 where it cannot; then the copy is kept, and told.
 */
export async function editByHand(io: ProcessIo): Promise<number> {
  const folder = resolveCodexHome(io.env, io.cwd);
  const file = join(folder, "config.toml");
  const draft = join(folder, `config.draft-${io.pid}.toml`);
  const say = (text: string): unknown => io.stderr.stream.write(`unroll: ${showHidden(text)}\n`);
  try {
    const before = await readOrNull(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, before ?? "", { mode: 0o600 });
    const fault = await runEditor(draft, io);
    if (fault !== null) throw new ProgramError("input", fault);
    const text = await readFile(draft, "utf8");
    if (text === (before ?? "")) io.stdout.stream.write(`Nothing was changed in ${file}.\n`);
    else {
      const warnings = await replaceConfigText(file, { before, draft, text });
      for (const { message } of warnings) say(message.replaceAll(draft, file));
      io.stdout.stream.write(`Changed ${file}.\n`);
    }
    await rm(draft, { force: true });
    return exitCodes.completed;
  } catch (error) {
    const exitCode = reportFailure(error, io);
    const [was, wrote] = await Promise.all([file, draft].map((path) => readOrNull(path).catch(() => null)));
    if (wrote === (was ?? "")) await rm(draft, { force: true });
    else if (wrote !== null) {
      say(`${file} is as it was; what you wrote is kept in ${draft}: correct it there, and move it into place.`);
    }
    return exitCode;
  }
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
