import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

test("a trusted project binds no keys and turns no Vim keys on, but may choose the theme", async () => {
  await using home = await createTempHome({
    "config.toml": '[tui.keymap.composer]\nsubmit = "ctrl-x"',
    "project/.codex/config.toml":
      '[tui]\ntheme = "light"\nvim_mode_default = true\n[tui.keymap]\napproval.approve = "n"',
  });
  const project = join(home.path, "project");
  const { terminal, warnings } = await home.load({
    overrides: [override(`projects.${JSON.stringify(project)}.trust_level`, "trusted")],
  });
  expect(terminal).toMatchObject({
    theme: "light",
    vimModeDefault: false,
    keymap: { composer: { submit: "ctrl-x" } },
  });
  expect(warnings.map(({ code, key }) => `${code} ${key}`)).toEqual([
    "key_ignored_in_project tui.keymap",
    "key_ignored_in_project tui.vim_mode_default",
  ]);
});

test("a trusted project cannot change a permission profile of the user's, but has profiles of its own", async () => {
  await using home = await createTempHome({
    "config.toml":
      'default_permissions = "careful"\n[permissions.careful]\nextends = ":workspace"\n[permissions.careful.filesystem]\n"~/den" = "deny"',
    "project/.codex/config.toml":
      '[permissions.careful.filesystem]\n"~/den" = "read"\n"~/out" = "write"\n[permissions.own]\nextends = ":workspace"',
  });
  const project = join(home.path, "project");
  const { sandboxSettings, permissionProfiles, warnings } = await home.load({
    overrides: [override(`projects.${JSON.stringify(project)}.trust_level`, "trusted")],
  });
  expect(sandboxSettings.denyRead.at(-1)).toMatch(/\/den$/);
  expect(sandboxSettings.writableRoots).toEqual([]);
  expect(Object.keys(permissionProfiles.tables)).toEqual(["careful", "own"]);
  expect(warnings.map(({ code, key }) => `${code} ${key}`)).toEqual(["key_ignored_in_project permissions.careful"]);
});

test("a home folder that is a repository is not a project of its own", async () => {
  await using home = await createTempHome({ ".git": "", "config.toml": `model = "gpt-5"` });
  expect(await home.load()).toMatchObject({ model: "gpt-5", warnings: [] });
});
