import { execFile } from "node:child_process";
import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const script = join(import.meta.dirname, "run-with-a-new-key.mjs");

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
}

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
let codexHome = "";

beforeAll(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), "unroll-new-key-"));
  codexHome = join(folder.path, "home/.codex");
  await mkdir(codexHome, { recursive: true });
});
afterAll(() => folder.remove());

/** In a process of their own, where one source file has one declaration more. */
async function runAll(config: string, ...lines: readonly (readonly string[])[]): Promise<readonly Ran[]> {
  await writeFile(join(codexHome, "config.toml"), config);
  const env = { PATH: process.env["PATH"], HOME: join(folder.path, "home"), CODEX_HOME: codexHome };
  const node = ["--conditions=@unroll/source", script, JSON.stringify(lines)];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: folder.path, env });
  return JSON.parse(stdout) as readonly Ran[];
}

async function load(config: string): Promise<unknown> {
  const [ran] = await runAll(config, ["load"]);
  return JSON.parse(ran?.stdout ?? "");
}

test("a key that is declared is checked: its words, a slip, a misspelt name", async () => {
  expect(await load(`[kettle]\nheat = "hot"`)).toEqual({
    kettle: { heat: "hot" },
    warnings: [],
  });
  expect(await load(`[kettle]\nheat = "warn"\nheet = 1`)).toEqual({
    kettle: { heat: "warm" },
    warnings: [
      `${codexHome}/config.toml:2:1: kettle.heat must be "off", "warm", or "hot", but it is "warn" (did you mean "warm"?). It is ignored.`,
      `${codexHome}/config.toml:3:1: unknown key kettle.heet: it has no effect. Did you mean kettle.heat?`,
    ],
  });
});

test("it can be set and explained, and no project sets it", async () => {
  const lines = [
    ["config", "set", "kettle.heat", "hot"],
    ["config", "explain", "kettle.heat", "--kettle", "off"],
  ];
  const [set, explained] = await runAll("", ...lines);
  expect(set).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(codexHome, "config.toml"), "utf8")).toBe(`[kettle]\nheat = "hot"\n`);
  expect(explained?.stdout).toBe(
    `kettle.heat = "off"\n  set by --kettle\n  overrides "hot", set in ${codexHome}/config.toml:2:1\n  meaning: how hot the kettle is\n`,
  );
  await mkdir(join(folder.path, ".codex"), { recursive: true });
  await writeFile(join(folder.path, ".codex/config.toml"), `kettle.heat = "hot"`);
  const trust = `projects.${JSON.stringify(folder.path)}.trust_level = "trusted"`;
  expect(await load(trust)).toEqual({
    kettle: { heat: "warm" },
    warnings: [
      `${folder.path}/.codex/config.toml:1:1: kettle is ignored in a project's config: move it to ${codexHome}/config.toml.`,
    ],
  });
});

test("it is in the JSON Schema, on the page, in the completions of a shell and in --help", async () => {
  const shown = [
    ["config", "schema"],
    ["page"],
    ["completion", "bash"],
    ["config", "set", "--help"],
    ["exec", "--help"],
  ];
  const [schema, page, completion, keys, flags] = (await runAll("", ...shown)).map(({ stdout }) => stdout);
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
