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

  /** The record's file, and that of an earlier version. */
  const toRecords = (home: TempHome, folder: string): { readonly record: string; readonly hashed: string } => {
    const records = join(home.path, ".codex/project-files");
    const hash = createHash("sha256").update(folder).digest("hex");
    return { record: join(records, encodeURIComponent(folder)), hashed: join(records, hash) };
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

  test("is not read where it changed since an earlier version recorded it, whose record stays", async () => {
    await using home = await createTrusting({});
    await home.load();
    const folder = await realpath(join(home.path, "project"));
    const { record, hashed } = toRecords(home, folder);
    await rename(record, hashed);
    await home.load();
    for (const file of [record, hashed]) expect(await readFile(file, "utf8")).toBe(`none  ${folder}\n`);
    await write(home, `model = "gpt-5-mini"`);
    const message = expect.stringContaining(`To accept it, remove ${record} and ${hashed}.`);
    const changed = { model: "gpt-5", warnings: [{ code: "project_config_changed", message }] };
    expect(await home.load()).toMatchObject(changed);
    await rm(record);
    expect(await home.load()).toMatchObject(changed);
    await rm(record);
    await rm(hashed);
    expect(await home.load()).toMatchObject({ model: "gpt-5-mini", warnings: [] });
    await writeFile(hashed, `none  ${folder}\n`);
    expect(await home.load()).toMatchObject({ model: "gpt-5-mini", warnings: [] });
    await rm(join(folder, ".codex"), { recursive: true });
    await write(home, "");
    expect(await home.load()).toMatchObject(changed);
  });

  test("is recorded under a hash where the record of its name is that of another folder", async () => {
    await using home = await createTrusting({});
    const folder = await realpath(join(home.path, "project"));
    const { record, hashed } = toRecords(home, folder);
    await mkdir(dirname(record));
    const ofOther = `none  ${dirname(folder)}/Project\n`;
    await writeFile(record, ofOther);
    await write(home, `model = "gpt-5-mini"`);
    expect(await home.load()).toMatchObject({ model: "gpt-5-mini", warnings: [] });
    expect(await readFile(record, "utf8")).toBe(ofOther);
    await write(home, `model = "gpt-5-nano"`);
    const message = expect.stringContaining(`To accept it, remove ${hashed}.`);
    expect(await home.load()).toMatchObject({ model: "gpt-5", warnings: [{ message }] });
  });

  test("is not read where its record is empty", async () => {
    await using home = await createTrusting({ "project/.codex/config.toml": `model = "gpt-5-mini"` });
    await home.load();
    const { record } = toRecords(home, await realpath(join(home.path, "project")));
    await writeFile(record, "");
    expect(await home.load()).toMatchObject({ model: "gpt-5", warnings: [{ code: "project_config_changed" }] });
  });

  test.each([121, 200, 250])(
    "is recorded under a hash where the name of its folder has %d characters",
    async (length) => {
      await using home = await createTempHome({});
      const root = await realpath(home.path);
      const cwd = join(root, "x".repeat(length - encodeURIComponent(`${root}/`).length));
      await mkdir(join(cwd, ".git"), { recursive: true });
      await writeFile(join(cwd, ".git/HEAD"), "ref: refs/heads/main");
      await mkdir(dirname(home.configFile), { recursive: true });
      await writeFile(home.configFile, `model = "gpt-5"\n${trusted(cwd)}`);
      await home.load({ cwd });
      expect(await readdir(join(home.path, ".codex/project-files"))).toEqual([basename(toRecords(home, cwd).hashed)]);
      await mkdir(join(cwd, ".codex"));
      await writeFile(join(cwd, ".codex/config.toml"), `model = "gpt-5-mini"`);
      expect(await home.load({ cwd })).toMatchObject({
        model: "gpt-5",
        warnings: [{ code: "project_config_changed" }],
      });
    },
  );

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
