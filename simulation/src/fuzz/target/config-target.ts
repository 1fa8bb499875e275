import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig } from "@unroll/config";
import { addMcpServer, replaceConfigText, setConfigKey } from "@unroll/config/upkeep";
import { demandSameReading } from "@unroll/config/fixture/independent-reader";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

/**
 * A config file gives a config or a `ConfigError`, at a line that it has. A second reader reads each written value as
 * we do, whatever the file had before and whatever the value is.
 */
export async function openConfigTarget(): Promise<FuzzTarget> {
  const home = await mkdtempDisposable(join(tmpdir(), "unroll-fuzz-"));
  const [file, edited] = [join(home.path, "config.toml"), join(home.path, "edited.toml")];
  return {
    async check(bytes) {
      await writeFile(file, bytes);
      const sources = { codexHome: home.path, cwd: home.path, env: { HOME: home.path }, overrides: [], flags: {} };
      const error = await findRefusal(() => loadConfig(sources));
      const text = Buffer.from(bytes).toString("utf8");
      if (error !== null) {
        const { line, message } = error;
        const lines = text.split("\n").length;
        demand(line === undefined || (line >= 1 && line <= lines), `no such line, of ${lines}: ${message}`);
      }
      await checkReplacement(edited, text);
      for (const before of ["", text]) await checkEdits(edited, before, text);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** `config edit`: a person wrote the text. */
async function checkReplacement(file: string, text: string): Promise<void> {
  await writeFile(file, "");
  if ((await findRefusal(() => replaceConfigText(file, { before: "", draft: file, text }))) !== null) return;
  demandSameReading(await readFile(file, "utf8"), null);
}

const longestWord = 300;

/** `config set` and `mcp add`, one after the other, with words of the text. */
async function checkEdits(file: string, before: string, text: string): Promise<void> {
  const word = text.slice(0, longestWord).toWellFormed();
  const words = text.slice(0, longestWord).toWellFormed().split(/\s+/);
  const server = { command: `x${word}`, args: words, env: { [`E${words.at(-1) ?? ""}`]: word } };
  const edits = [
    () => setConfigKey(file, "model_verbosity", "low"),
    () => setConfigKey(file, "developer_instructions", word),
    () => addMcpServer(file, word, server),
    () => setConfigKey(file, "sandbox.max_processes", "12000"),
  ];
  await writeFile(file, before);
  for (const edit of edits) {
    if ((await findRefusal(edit)) === null) demandSameReading(await readFile(file, "utf8"), before);
  }
}

/** Null: it succeeded. Rethrows every error except a `ConfigError`. */
async function findRefusal(act: () => Promise<unknown>): Promise<ConfigError | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
