import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, loadConfig } from "@unroll/config";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

/** A config file gives a config or a `ConfigError`, at a line that it has. */
export async function openConfigTarget(): Promise<FuzzTarget> {
  const home = await mkdtempDisposable(join(tmpdir(), "unroll-fuzz-"));
  const file = join(home.path, "config.toml");
  return {
    async check(bytes) {
      await writeFile(file, bytes);
      const sources = { codexHome: home.path, cwd: home.path, env: { HOME: home.path }, overrides: [], flags: {} };
      const error: unknown = await loadConfig(sources).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) return;
      if (!(error instanceof ConfigError)) throw error;
      const lines = Buffer.from(bytes).toString("utf8").split("\n").length;
      const { line, message } = error;
      demand(line === undefined || (line >= 1 && line <= lines), `no such line, of ${lines}: ${message}`);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}
