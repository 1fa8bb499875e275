import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyChange, findPermissions, listPermissionProfiles } from "@unroll/config";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

const useProfile = 'default_permissions = "mine"\n[permissions.mine]\n';

test.for([
  [":read-only", "read-only"],
  [":workspace", "workspace-write"],
  [":danger-full-access", "danger-full-access"],
] as const)("the built-in profile %s is the sandbox mode %s", async ([name, mode]) => {
  await using home = await createTempHome({ "config.toml": `default_permissions = "${name}"\n` });
  const config = await home.load();
  expect(config).toMatchObject({ permissionProfile: name, sandboxSettings: { mode }, warnings: [] });
  expect(config.origins.get("sandbox_mode")).toMatchObject({ type: "file", line: 1 });
});

test("a profile of the config becomes sandbox settings: roots, denied paths, temporary folders, network, git", async () => {
  await using home = await createTempHome({
    "config.toml": [
      `sandbox.deny_read = ["/own"]`,
      `${useProfile}extends = "middle"`,
      `workspace_roots = { "/second" = true, "/third" = false }`,
      `network = { enabled = true }`,
      `[permissions.mine.filesystem]`,
      `":tmpdir" = "read"\n"~/.ssh" = "deny"\n"/data" = "write"`,
      `[permissions.mine.filesystem.":workspace_roots"]`,
      `"private/**" = "deny"\n".git" = "read"`,
      `[permissions.middle]\nextends = ":workspace"`,
      `[permissions.middle.filesystem]\n"/etc/secret" = { "a" = "none" }`,
    ].join("\n"),
  });
  const config = await home.load({ flags: { addDirs: ["/added"] } });
  const project = join(home.path, "project");
  const credentials = ["auth.json", "mcp-tokens"].map((name) => join(home.path, ".codex", name));
  expect(config.sandboxSettings).toMatchObject({
    mode: "workspace-write",
    networkAccess: true,
    writableRoots: ["/second", "/data", "/added"],
    excludeSlashTmp: false,
    excludeTmpdirEnvVar: true,
    git: "protected",
    denyRead: [
      ...credentials,
      "/own",
      join(project, "private"),
      "/second/private",
      "/etc/secret/a",
      join(home.path, ".ssh"),
    ],
  });
});

test("the paths of a profile move with the working folder", async () => {
  await using home = await createTempHome({
    "config.toml": `${useProfile}extends = ":read-only"\n[permissions.mine.filesystem.":workspace_roots"]\nprivate = "deny"`,
  });
  const moved = applyChange(await home.load(), { cwd: "/elsewhere" });
  expect(moved.sandboxSettings.denyRead).toContain("/elsewhere/private");
  const other = applyChange(moved, { sandboxSettings: { ...moved.sandboxSettings, mode: "read-only" } });
  expect(other.permissionProfile).toBe(null);
});

test.for([
  [`extends = ":danger-full-access"`, `permissions.mine.extends cannot be ":danger-full-access"`],
  [`extends = "mine"`, "permissions.mine.extends is a circle: mine, mine"],
  [`extends = "other"`, `there is no permission profile "other"`],
  [`filesystem = { ":minimal" = "read" }`, `permissions.mine.filesystem does not have ":root" = "read"`],
  [`filesystem = { ":root" = "write" }`, `permissions.mine.filesystem.":root" can only be "read"`],
  [`filesystem = { ":root" = "nonsense" }`, `permissions.mine.filesystem.":root" must be "read", "write", "deny"`],
  [`extends = ":workspace"\nfilesystem = { ":nope" = "read" }`, `":nope" is not a path that unroll knows`],
  [`extends = ":workspace"\nfilesystem = { "rel" = "deny" }`, "filesystem.rel must be absolute"],
  [`extends = ":workspace"\nfilesystem = { "/a/*.env" = "deny" }`, "is a pattern"],
  [`extends = ":workspace"\nfilesystem = { ":workspace_roots" = { "**/*.env" = "deny" } }`, "is a pattern"],
  [`extends = ":workspace"\nfilesystem = { ":workspace_roots" = { "../x" = "deny" } }`, "below the folder"],
  [`extends = ":workspace"\nfilesystem = { ":workspace_roots" = "deny" }`, "hides the working folder"],
  [
    `extends = ":workspace"\nfilesystem = { ":workspace_roots" = { "." = "write", docs = "read" } }`,
    "read-only in a folder",
  ],
  [`extends = ":workspace"\nfilesystem = { ":workspace_roots" = { ".codex" = "write" } }`, "always protects"],
  [`extends = ":read-only"\nfilesystem = { "/data" = "write" }`, `lets commands write, but not in ":workspace_roots"`],
  [`extends = ":workspace"\nfilesystem = { "/a" = "deny", "/a/b" = "read" }`, "allows /a/b in a folder that it denies"],
  [`extends = ":workspace"\nfilesystem = { "/" = "deny" }`, "hides the working folder"],
  [
    `extends = ":workspace"\nnetwork = { enabled = true, domains = { "*" = "allow" } }`,
    "network.domains cannot be kept",
  ],
  [`extends = ":read-only"\nnetwork = { enabled = true }`, "network.enabled cannot be true"],
  [`extends = ":workspace"\nnetwork = { enabled = "yes" }`, "network.enabled must be true or false"],
] as const)("a profile that the sandbox cannot keep is refused: %s", async ([text, message]) => {
  await using home = await createTempHome({ "config.toml": useProfile + text });
  expect((await home.loadError()).message).toContain(message);
});

test("a profile that nothing selects stops nothing, and is listed as unusable", async () => {
  await using home = await createTempHome({
    "config.toml": `[permissions.some]\ndescription = "d"\nfilesystem = { ":minimal" = "read" }\n[permissions.good]\nextends = ":workspace"`,
  });
  const config = await home.load();
  expect(
    listPermissionProfiles(config).map(({ name, description, fault }) => [name, description, fault === null]),
  ).toEqual([
    [":read-only", null, true],
    [":workspace", null, true],
    [":danger-full-access", null, true],
    ["some", "d", false],
    ["good", null, true],
  ]);
  expect(findPermissions(config, "good")).toMatchObject({ permissionProfile: "good" });
  expect(() => findPermissions(config, "bad")).toThrow('there is no permission profile "bad"');
});

test("the highest layer with a profile or a sandbox mode decides, and one layer cannot contradict itself", async () => {
  await using home = await createTempHome({ "config.toml": `default_permissions = ":read-only"` });
  expect((await home.load({ flags: { sandboxMode: "workspace-write" } })).sandboxSettings.mode).toBe("workspace-write");
  const named = { overrides: [override("default_permissions", '":workspace"')] };
  expect((await home.load(named)).sandboxSettings.mode).toBe("workspace-write");
  expect((await home.load({ ...named, flags: { sandboxMode: "workspace-write" } })).permissionProfile).toBe(
    ":workspace",
  );
  const { message } = await home.loadError({ ...named, flags: { sandboxMode: "danger-full-access" } });
  expect(message).toBe(
    '-c: default_permissions = ":workspace" and sandbox_mode = "danger-full-access" contradict each other: remove one of them.',
  );
  await using file = await createTempHome({
    "config.toml": `default_permissions = ":read-only"\nsandbox_mode = "workspace-write"`,
  });
  expect((await file.loadError()).message).toContain("contradict each other");
});

const invented = JSON.parse(
  readFileSync(new URL("../../../conformance/limits/invented.json", import.meta.url), "utf8"),
) as { readonly refused: Readonly<Record<string, unknown>>; readonly ignored: Readonly<Record<string, unknown>> };

test("invented limits in a file stop the start, and other invented keys are warnings", async () => {
  for (const [name, value] of Object.entries(invented.refused)) {
    await using home = await createTempHome({ "config.toml": `${name} = ${toToml(value)}` });
    expect(await home.loadError()).toMatchObject({
      code: "key_unknown",
      message: expect.stringContaining(name) as string,
    });
  }
  const lines = Object.entries(invented.ignored).map(([name, value]) => `${name} = ${toToml(value)}`);
  await using home = await createTempHome({ "config.toml": lines.join("\n") });
  expect((await home.load()).warnings.map(({ code }) => code)).toEqual(lines.map(() => "key_unknown"));
});

/** A value as TOML, on one line. */
function toToml(value: unknown): string {
  return JSON.stringify(value).replaceAll('":', '"=');
}
