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

test("a home folder that is a repository is not a project of its own", async () => {
  await using home = await createTempHome({ ".git": "", "config.toml": `model = "gpt-5"` });
  expect(await home.load()).toMatchObject({ model: "gpt-5", warnings: [] });
});
