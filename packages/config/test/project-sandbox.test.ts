import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createTempHome, override, repositoryIn } from "./temp-home.ts";

test("the sandbox mode of a project counts if nothing else sets one, in the project only", async () => {
  await using home = await createTempHome();
  const folder = join(home.path, "project");
  const key = `[projects.${JSON.stringify(folder)}]\nsandbox_mode = "workspace-write"\n`;
  await mkdir(dirname(home.configFile), { recursive: true });
  await writeFile(home.configFile, key);
  const chosen = await home.load();
  expect(chosen.sandboxSettings.mode).toBe("workspace-write");
  expect(chosen.origins.get("sandbox_mode")).toMatchObject({ type: "file", path: home.configFile, line: 2 });
  expect((await home.load({ trustProject: true })).sandboxSettings.mode).toBe("workspace-write");
  expect((await home.load({ flags: { sandboxMode: "read-only" } })).sandboxSettings.mode).toBe("read-only");
  expect((await home.load({ cwd: home.path })).sandboxSettings.mode).toBe("read-only");
  await writeFile(home.configFile, `sandbox_mode = "read-only"\n${key}`);
  expect((await home.load()).sandboxSettings.mode).toBe("read-only");
});

test("-C moves the working folder, and must name a folder", async () => {
  await using home = await createTempHome({ "project/sub/file": "" });
  const sub = join(home.path, "project", "sub");
  expect((await home.load({ flags: { cwd: "sub" } })).cwd).toBe(sub);
  expect(await home.loadError({ flags: { cwd: "none" } })).toMatchObject({
    code: "folder_not_found",
    message: `The working folder ${join(home.path, "project", "none")} does not exist.`,
  });
  expect((await home.loadError({ flags: { cwd: "sub/file" } })).message).toBe(
    `The working folder ${join(sub, "file")} is not a folder.`,
  );
  const read = Buffer.from("b\xffd", "latin1").toString(); // as Node.js says the name of a folder that is not UTF-8
  expect((await home.loadError({ cwd: join(home.path, read) })).message).toBe(
    `The working folder ${join(home.path, read)} has a name that is not UTF-8: rename it.`,
  );
});

test("a project neither opens nor closes hosts, and does not open the network where the user names hosts", async () => {
  await using home = await createTempHome({
    ...repositoryIn("project"),
    "project/.codex/config.toml": `[sandbox_workspace_write]\nnetwork_access = true\nnetwork = { allow = ["evil.example"], deny = ["a.example"] }\n`,
    "config.toml": `sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nnetwork = { allow = ["a.example"] }\n`,
  });
  const cwd = join(home.path, "project");
  const { sandboxSettings, warnings } = await home.load({
    cwd,
    overrides: [override(`projects.${cwd}.trust_level`, "trusted")],
  });
  expect(sandboxSettings.hosts).toEqual({ allow: ["a.example"], deny: [] });
  const [allow, deny, access] = ["network.allow", "network.deny", "network_access"].map(
    (key) => `sandbox_workspace_write.${key}`,
  );
  expect(warnings.map(({ code, key }) => [code, key])).toEqual([
    ["key_ignored_in_project", allow],
    ["key_ignored_in_project", deny],
    ["value_ignored", access],
  ]);
});
