import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempHome } from "./temp-home.ts";

test("the key `profile` picks a profile, and -p another", async () => {
  await using home = await createTempHome({
    "config.toml": `profile = "a"\n[profiles.a]\nmodel = "gpt-5-a"\n[profiles.b]\nmodel = "gpt-5-b"\n`,
  });
  expect(await home.load()).toMatchObject({ profile: "a", model: "gpt-5-a" });
  expect(await home.load({ profile: "b" })).toMatchObject({ profile: "b", model: "gpt-5-b" });
  expect(await home.loadError({ profile: "toString" })).toMatchObject({
    code: "profile_unknown",
    message: `--profile: there is no profile "toString": use "a" or "b", or add [profiles.toString] to config.toml, or write toString.config.toml beside it.`,
  });
});

test("a profile is a file beside config.toml, too, as the Codex CLI has them, over a table of its name", async () => {
  await using home = await createTempHome({
    "config.toml": `model = "gpt-5"\n[profiles.a]\nmodel = "gpt-5-a"\nmodel_verbosity = "low"\n`,
    ".codex/a.config.toml": `model = "gpt-5-file"\nprofile = "b"\n[model_providers.mine]\nbase_url = "http://localhost/v1"\n`,
    ".codex/b.config.toml": "model = 5",
    ".codex/c.config.toml": `[projects."/x"]\ntrust_level = "trusted"\n`,
  });
  const { profile, model, verbosity, origins } = await home.load({ profile: "a" });
  expect({ profile, model, verbosity }).toEqual({ profile: "a", model: "gpt-5-file", verbosity: "low" });
  expect(origins.get("model")).toMatchObject({ path: join(home.path, ".codex/a.config.toml"), line: 1 });
  expect(await home.load({ profile: "c" })).toMatchObject({ profile: "c", model: "gpt-5" });
  expect(await home.loadError({ profile: "b" })).toMatchObject({
    code: "value_invalid",
    message: expect.stringContaining(`${join(home.path, ".codex/b.config.toml")}:1:1`),
  });
  const elsewhere = "../.codex/a";
  expect(await home.loadError({ profile: elsewhere })).toMatchObject({ code: "profile_unknown" });
});
