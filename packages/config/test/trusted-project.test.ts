import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTempHome, type TempHome } from "./temp-home.ts";

const trusted = (path: string): string => `[projects.${JSON.stringify(path)}]\ntrust_level = "trusted"\n`;

describe("the configuration of a trusted project", () => {
  const write = async (home: TempHome, text: string): Promise<string> => {
    const file = join(home.path, "project/.codex/config.toml");
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const createTrusting = async (files: Record<string, string>): Promise<TempHome> => {
    const home = await createTempHome(files);
    await mkdir(dirname(home.configFile), { recursive: true });
    await writeFile(home.configFile, `model = "gpt-5"\n${trusted(join(home.path, "project"))}`);
    return home;
  };

  test.each([
    ["appeared", {}],
    ["changed", { "project/.codex/config.toml": `model = "gpt-5-mini"` }],
  ])("is not read where it has %s since it was first met, until a person says yes", async (_, files) => {
    await using home = await createTrusting(files);
    const first = await home.load();
    const file = await write(home, `[mcp_servers.evil]\ncommand = "evil"`);
    const second = await home.load();
    const [record = ""] = await readdir(join(home.path, ".codex/project-files"));
    const recordFile = join(home.path, ".codex/project-files", record);
    const message = `${file} is not read: it changed since you first started in this project, and a command may have changed it. Check it. To accept it, remove ${recordFile}.`;
    expect(second).toMatchObject({
      model: "gpt-5",
      mcpServers: [],
      warnings: [{ code: "project_config_changed", message }],
    });
    expect(await home.load()).toMatchObject({ mcpServers: [], warnings: [{ code: "project_config_changed" }] });
    expect(first.warnings).toEqual([]);
    await rm(recordFile);
    expect(await home.load()).toMatchObject({ mcpServers: [{ id: "evil" }], warnings: [] });
  });

  test("is not read where it changed since an earlier version recorded it, under a hash", async () => {
    await using home = await createTrusting({});
    await home.load();
    const records = join(home.path, ".codex/project-files");
    const folder = await realpath(join(home.path, "project"));
    const record = join(records, encodeURIComponent(folder));
    await rename(record, join(records, createHash("sha256").update(folder).digest("hex")));
    await write(home, `model = "gpt-5-mini"`);
    expect(await home.load()).toMatchObject({ model: "gpt-5", warnings: [{ code: "project_config_changed" }] });
    expect(await readFile(record, "utf8")).toBe(`none  ${folder}\n`);
    expect(await readdir(records)).toEqual([basename(record)]);
  });

  test("is recorded under a hash where the name of its folder is too long", async () => {
    const long = `project/${"ü".repeat(60)}`;
    await using home = await createTempHome({ [`${long}/.git/HEAD`]: "ref: refs/heads/main" });
    const cwd = join(home.path, long);
    await mkdir(dirname(home.configFile), { recursive: true });
    await writeFile(home.configFile, `model = "gpt-5"\n${trusted(cwd)}`);
    await home.load({ cwd });
    expect(await readdir(join(home.path, ".codex/project-files"))).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    await mkdir(join(cwd, ".codex"));
    await writeFile(join(cwd, ".codex/config.toml"), `model = "gpt-5-mini"`);
    expect(await home.load({ cwd })).toMatchObject({ model: "gpt-5", warnings: [{ code: "project_config_changed" }] });
  });

  test("is read again when it is what it was", async () => {
    await using home = await createTrusting({ "project/.codex/config.toml": `model = "gpt-5-mini"` });
    await home.load();
    await write(home, "");
    expect(await home.load()).toMatchObject({ model: "gpt-5" });
    await write(home, `model = "gpt-5-mini"`);
    expect(await home.load()).toMatchObject({ model: "gpt-5-mini", warnings: [] });
  });

  test("is one by whatever name, and that of another project is another", async () => {
    await using home = await createTrusting({ "other/file": "" });
    await symlink("project", join(home.path, "link"));
    await home.load();
    await write(home, `model = "gpt-5-mini"`);
    const cwd = join(home.path, "link");
    expect(await home.load({ cwd })).toMatchObject({ model: "gpt-5", warnings: [{ code: "project_config_changed" }] });
    expect(await home.load({ cwd: join(home.path, "other") })).toMatchObject({ warnings: [] });
  });
});
