import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listPresetHosts, resolveHostPresets } from "@unroll/sandbox";
import { describe, expect, test } from "vitest";

/** A home with some files. */
function openHome(files: Readonly<Record<string, string>>) {
  const folder = mkdtempDisposableSync(join(tmpdir(), "unroll-presets-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  return folder;
}

const presets = ["npm", "pypi", "crates"] as const;
/** The hosts that this machine's own settings name for all users. */
const ofMachine = resolveHostPresets({ allow: [...presets], deny: [] }, { env: {}, homeDirectory: "/sys/nonexistent" })
  .lists.allow;

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

test("variables in an npmrc count as they do for npm", () => {
  const lines = {
    "registry=https://${NPM_HOST}/": ["set.example:443"],
    "registry=${NPM_ADDRESS}": ["whole.example:8443"],
    "registry=https://${UNSET?}npm.example/": ["npm.example:443"],
    "registry=https://${UNSET}/": [],
    "registry=https://\\${NPM_HOST}/": [],
  };
  const env = { NPM_HOST: "set.example", NPM_ADDRESS: "https://whole.example:8443/all/" };
  const found = Object.keys(lines).map((line) => {
    using home = openHome({ ".npmrc": line });
    const { allow } = resolveHostPresets({ allow: ["npm"], deny: [] }, { env, homeDirectory: home.path }).lists;
    return [line, allow.filter((host) => !ofMachine.includes(host))];
  });
  expect(Object.fromEntries(found)).toEqual(lines);
});

test("debian stands for the hosts of the lists that apt reads, without disabled ones", () => {
  const stanza = (host: string, more = "") => `Types: deb\nURIs: https://${host}/debian\nSuites: stable\n${more}`;
  using home = openHome({
    "sources.list": "# deb http://comment.example/ stable main\ndeb http://old.example/debian stable main\n",
    "sources.list.d/a.list": "deb [arch=amd64] https://list.example/debian stable main\n",
    "sources.list.d/b.sources": `${stanza("off.example", "Enabled: no\n")}\n${stanza("on.example", "Enabled: yes\n")}`,
    "sources.list.d/c.list.disabled": "deb https://renamed.example/debian stable main\n",
    "sources.list.d/d.sources.save": stanza("saved.example"),
  });
  const machine = { env: {}, homeDirectory: "/sys/nonexistent", aptFolder: home.path };
  expect(resolveHostPresets({ allow: ["debian"], deny: [] }, machine)).toEqual({
    lists: { allow: ["old.example:80", "list.example:443", "on.example:443"], deny: [] },
    warnings: [],
  });
});

describe.skipIf(ofMachine.length > 0)(
  "a preset without settings (skipped where the machine has some for all users)",
  () => {
    test.each([...presets])("%s allows nothing, and a warning has the line that would set it", (preset) => {
      using home = openHome({});
      const machine = { env: {}, homeDirectory: home.path };
      const resolve = () => resolveHostPresets({ allow: [preset], deny: ["a.example"] }, machine);
      const { lists, warnings } = resolve();
      expect(lists).toEqual({ allow: [], deny: ["a.example"] });
      const [, line = "", file = ""] =
        /^The preset \w+ allows no host, .* Add `([^`]+)`.* to (\S+), or /.exec(warnings.join("\n")) ?? [];
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, line.replace("HOST", "own.example"));
      expect(resolve()).toEqual({ lists: { allow: ["own.example:443"], deny: ["a.example"] }, warnings: [] });
    });
  },
);
