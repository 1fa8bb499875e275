import { execFile } from "node:child_process";
import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const script = join(import.meta.dirname, "run-with-a-new-key.mjs");

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
let codexHome = "";

beforeAll(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), "unroll-new-key-"));
  codexHome = join(folder.path, "home/.codex");
  await mkdir(codexHome, { recursive: true });
});
afterAll(() => folder.remove());

/** In a process of its own, where one source file has one declaration more. */
function run(args: readonly string[], config?: string): Promise<Ran> {
  const env = { PATH: process.env["PATH"], HOME: join(folder.path, "home"), CODEX_HOME: codexHome };
  const start = (): Promise<Ran> =>
    new Promise((resolve) => {
      const node = ["--conditions=@unroll/source", script, ...args];
      execFile(process.execPath, node, { cwd: folder.path, env }, (error, stdout, stderr) =>
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
    });
  return config === undefined ? start() : writeFile(join(codexHome, "config.toml"), config).then(start);
}

test("a key that is declared is checked: its words, a slip, a misspelt name", async () => {
  expect(JSON.parse((await run(["load"], `[kettle]\nheat = "hot"`)).stdout)).toEqual({
    kettle: { heat: "hot" },
    warnings: [],
  });
  expect(JSON.parse((await run(["load"], `[kettle]\nheat = "warn"\nheet = 1`)).stdout)).toEqual({
    kettle: { heat: "warm" },
    warnings: [
      `${codexHome}/config.toml:2:1: kettle.heat must be "off", "warm", or "hot", but it is "warn" (did you mean "warm"?). It is ignored.`,
      `${codexHome}/config.toml:3:1: unknown key kettle.heet: it has no effect. Did you mean kettle.heat?`,
    ],
  });
});

test("it can be set and explained, and no project sets it", async () => {
  expect(await run(["config", "set", "kettle.heat", "hot"], "")).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(codexHome, "config.toml"), "utf8")).toBe(`[kettle]\nheat = "hot"\n`);
  expect((await run(["config", "explain", "kettle.heat", "--kettle", "off"])).stdout).toBe(
    `kettle.heat = "off"\n  set by --kettle\n  overrides "hot", set in ${codexHome}/config.toml:2:1\n  meaning: how hot the kettle is\n`,
  );
  await mkdir(join(folder.path, ".codex"), { recursive: true });
  await writeFile(join(folder.path, ".codex/config.toml"), `kettle.heat = "hot"`);
  const trust = `projects.${JSON.stringify(folder.path)}.trust_level = "trusted"`;
  expect(JSON.parse((await run(["load"], trust)).stdout)).toEqual({
    kettle: { heat: "warm" },
    warnings: [
      `${folder.path}/.codex/config.toml:1:1: kettle is ignored in a project's config: move it to ${codexHome}/config.toml.`,
    ],
  });
});

test("it is in the JSON Schema, on the page, in the completions of a shell and in --help", async () => {
  const [schema, page, completion, keys, flags] = await Promise.all(
    [["config", "schema"], ["page"], ["completion", "bash"], ["config", "set", "--help"], ["exec", "--help"]].map(
      async (args) => (await run(args, "")).stdout,
    ),
  );
  expect(JSON.parse(schema ?? "")).toMatchObject({
    properties: {
      kettle: {
        type: "object",
        properties: { heat: { enum: ["off", "warm", "hot"], default: "warm", description: "how hot the kettle is" } },
      },
    },
  });
  expect(JSON.parse(page ?? "")).toMatchObject({
    keys: expect.stringContaining("\n| `kettle.heat` | `off` `warm` `hot` | `warm` | how hot the kettle is |\n"),
    yours: expect.stringContaining(" `kettle`,"),
  });
  expect(completion).toMatch(/"config get"\) next="[^"]* kettle\.heat /);
  expect(completion).toContain('"config set kettle.heat") next="off warm hot" ;;');
  expect(completion).toMatch(/"exec"\) next="[^"]* --kettle /);
  expect(keys).toMatch(/^ {2}kettle\.heat +off warm hot$/m);
  expect(flags).toMatch(/^ {2}--kettle <heat> +how hot the kettle is in this run \(choices: "off", "warm", "hot"\)$/m);
});
