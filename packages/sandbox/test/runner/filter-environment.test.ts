import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShellEnvironmentPolicy } from "@unroll/protocol";
import { filterEnvironment } from "@unroll/sandbox";

const all: ShellEnvironmentPolicy = {
  inherit: "all",
  ignoreDefaultExcludes: false,
  exclude: [],
  set: {},
  includeOnly: [],
};
const none = { names: [], values: [] };
const environment = {
  PATH: "/bin",
  HOME: "/h",
  EDITOR: "vi",
  GITHUB_TOKEN: "t",
  my_password: "p",
  AWS_REGION: "eu",
  gone: undefined,
};

describe("the environment of commands", () => {
  it.each<[string, Partial<ShellEnvironmentPolicy>, Record<string, string>]>([
    [
      "is the harness's, but for what looks like a credential",
      {},
      { PATH: "/bin", HOME: "/h", EDITOR: "vi", AWS_REGION: "eu" },
    ],
    [
      "is all of it when the policy says so",
      { ignoreDefaultExcludes: true },
      { PATH: "/bin", HOME: "/h", EDITOR: "vi", GITHUB_TOKEN: "t", my_password: "p", AWS_REGION: "eu" },
    ],
    ["is the core of it", { inherit: "core" }, { PATH: "/bin", HOME: "/h" }],
    ["is none of it", { inherit: "none", set: { A: "1" } }, { A: "1" }],
    ["is without what patterns exclude, case aside", { exclude: ["aws_*", "EDITO?"] }, { PATH: "/bin", HOME: "/h" }],
    [
      "is what was set, whatever it is called",
      { inherit: "none", exclude: ["*"], set: { MY_TOKEN: "mine" } },
      { MY_TOKEN: "mine" },
    ],
    [
      "is only what patterns include, at last",
      { includeOnly: ["path", "a*"], set: { A1: "1", B1: "2" } },
      { PATH: "/bin", AWS_REGION: "eu", A1: "1" },
    ],
  ])("%s", (_, policy, expected) => {
    expect(filterEnvironment(environment, { ...all, ...policy }, none)).toEqual(expected);
  });

  it("never has a credential of the harness: not by name, not under another name, not inside of a value", () => {
    const names = ["OPENAI_API_KEY", "codex_api_key"];
    const secret = fc
      .string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" })
      .filter((text) => text.trim() === text);
    const policy = fc.record({
      inherit: fc.constantFrom("all", "core", "none"),
      ignoreDefaultExcludes: fc.boolean(),
      exclude: fc.constant([]),
      set: fc.constant({}),
      includeOnly: fc.constant([]),
    });
    fc.assert(
      fc.property(secret, policy, (value, base) => {
        const env = {
          OPENAI_API_KEY: value,
          Codex_Api_Key: "other",
          PATH: "/bin",
          HEADER: `Bearer ${value}`,
          COPY: value,
        };
        const set = { OPENAI_API_KEY: "set", ALSO: value };
        const filtered = filterEnvironment(env, { ...base, set }, { names, values: [] });
        expect(Object.keys(filtered).map((name) => name.toUpperCase())).not.toContain("OPENAI_API_KEY");
        expect(Object.keys(filtered).map((name) => name.toUpperCase())).not.toContain("CODEX_API_KEY");
        expect(Object.values(filtered).join("\n")).not.toContain(value);
      }),
    );
    expect(filterEnvironment({ A: "sk-12345678", B: "b" }, all, { names: [], values: ["sk-12345678"] })).toEqual({
      B: "b",
    });
  });
});
