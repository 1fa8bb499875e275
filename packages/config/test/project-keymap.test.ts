import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

test("a trusted project binds no keys, but may choose the theme", async () => {
  await using home = await createTempHome({
    "config.toml": '[tui.keymap.composer]\nsubmit = "ctrl-x"',
    "project/.codex/config.toml": '[tui]\ntheme = "light"\n[tui.keymap]\napproval.approve = "n"',
  });
  const project = join(home.path, "project");
  const { terminal, warnings } = await home.load({
    overrides: [override(`projects.${JSON.stringify(project)}.trust_level`, "trusted")],
  });
  expect(terminal).toMatchObject({
    theme: "light",
    keymap: { composer: { submit: "ctrl-x" } },
  });
  expect(warnings.map(({ code, key }) => `${code} ${key}`)).toEqual(["key_ignored_in_project tui.keymap"]);
});
