import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHost } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { describeWrittenKey } from "@unroll/report";
import { setKey } from "@unroll/use-cases/config";
import { expect, test } from "vitest";

test("a key that is set says whether its value counts here, or which one does", async () => {
  await using home = await openModelHome({ script: { turns: [] } });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  const codexHome = join(home.home, ".codex");
  const file = join(codexHome, "config.toml");
  const set = (value: string) => setKey({ codexHome, key: "model", value }, { flags: {}, host });
  const first = await set("gpt-5.1");
  expect(first).toEqual({
    key: "model",
    file,
    warnings: [],
    counted: { path: file, line: 1, toml: '"gpt-5.1"', isOver: false },
  });
  expect(describeWrittenKey(first)).toBe(`Set model = "gpt-5.1" in ${file}:1.`);
  const project = join(home.work, ".codex/config.toml");
  await mkdir(join(home.work, ".codex"));
  await writeFile(project, 'model = "gpt-5.2"\n');
  await appendFile(file, `\n[projects."${home.work}"]\ntrust_level = "trusted"\n`);
  expect(describeWrittenKey(await set("gpt-5.3"))).toBe(
    `Set model in ${file}, but in this folder ${project}:1 overrides it with "gpt-5.2".`,
  );
  await expect(setKey({ codexHome, key: "modle", value: "x" }, { flags: {}, host })).rejects.toMatchObject({
    name: "ConfigError",
  });
});

test("a hidden path that is relative says what it hides, and how to hide the one in this folder", async () => {
  await using home = await openModelHome({ script: { turns: [] } });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const host = createHost(createTestIo({ env, cwd: home.work, homeDirectory: home.home }));
  const codexHome = join(home.home, ".codex");
  const set = async (value: string): Promise<readonly string[]> =>
    (await setKey({ codexHome, key: "sandbox.deny_read", value }, { flags: {}, host })).warnings;
  expect(await set('["secrets", "/etc/hosts", "~/keys"]')).toEqual([
    `Relative paths start at the config file, so secrets hides ${join(codexHome, "secrets")}. To hide the one in this folder, write ${join(home.work, "secrets")}.`,
  ]);
  expect(await set('["/etc/hosts"]')).toEqual([]);
});
