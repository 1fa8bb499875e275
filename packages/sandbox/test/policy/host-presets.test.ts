import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listPresetHosts, resolveHostPresets } from "@unroll/sandbox";
import { expect, test } from "vitest";

/** A home with some files. */
function openHome(files: Readonly<Record<string, string>>) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "unroll-presets-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  return folder;
}

test("a preset stands for the hosts of the user's settings, without their passwords", () => {
  using home = openHome({
    ".npmrc":
      "registry=https://ann:secret@npm.example/all/\n@team:registry = http://team.example:8080/\n//npm.example/:_authToken=x",
    ".config/pip/pip.conf": "[global]\nindex-url = https://pip.example/simple\nproxy = https://no.example\n",
    ".cargo/config.toml": '[source.mirror]\nregistry = "sparse+https://crates.example/index/"\n',
  });
  const machine = { env: { PIP_EXTRA_INDEX_URL: "https://more.example/simple" }, homeDirectory: home.path };
  const { lists, warnings } = resolveHostPresets(
    { allow: ["npm", "pypi", "crates", "x.example:1"], deny: [] },
    machine,
  );
  expect([lists.allow.toSorted(), warnings]).toEqual([
    expect.arrayContaining([
      "crates.example:443",
      "more.example:443",
      "npm.example:443",
      "pip.example:443",
      "team.example:8080",
      "x.example:1",
    ]),
    [],
  ]);
  expect(JSON.stringify(lists)).not.toMatch(/secret|no\.example/);
  expect(listPresetHosts("npm.example:443", machine)).toContain("team.example:8080");
});

test("a preset without settings allows nothing, and a warning says so", () => {
  using home = openHome({});
  const machine = { env: { CARGO_HOME: home.path }, homeDirectory: home.path };
  const { lists, warnings } = resolveHostPresets({ allow: ["crates"], deny: ["a.example"] }, machine);
  expect([lists, warnings]).toEqual([
    { allow: [], deny: ["a.example"] },
    [expect.stringMatching(/^The preset crates allows no host, because there is no /)],
  ]);
});
