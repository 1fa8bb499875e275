import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setConfigKey } from "@unroll/config";
import { describe, expect, test } from "vitest";
import { locateKeys } from "../src/toml/locate-keys.ts";
import { parseToml } from "../src/toml/parse-toml.ts";
import { createTempHome } from "./temp-home.ts";

/** What toml-test asks of a reader, in documents of our own; `TOML_SUITE` names the `tests` folder of a checkout of it (MIT) for all of its. */
const valid = [
  "",
  "# only this",
  "a = 1\r\nb = 2\r\n# c\r\n",
  '"" = 1\n"a b" = 2\n\'c"d\' = 3\n"\\u00e9" = 4\n1-a_ = 5',
  "a.b.c = 1\na.b.d = 2\na . e = 3",
  "[a]\n[a.b.c]\n[a.b]\nx = 1",
  "[[a]]\nx = 1\n[[a.b]]\n[a.b.c]\n[[a]]",
  "a = [1, [2, 'x'], {y = [ ]}, # z\n]",
  'a = { b.c = 1, "d" = { } }',
  'a = """\nx\\\n   y"""\nb = \'\'\'\n\\n\'\'\'\nc = """a"""""',
  'a = "\\b\\t\\n\\f\\r\\"\\\\\\u0041\\U0001F600"',
  "a = +1_000\nb = 0xDEAD_beef\nc = 0o17\nd = 0b1\ne = -0\nf = 9223372036854775807",
  "a = 1.5e-3\nb = -inf\nc = nan\nd = 6.02E23\ne = 1_0.0_1",
  "a = 1979-05-27T07:32:00.5-07:00\nb = 1979-05-27 07:32:00Z\nc = 1979-05-27T07:32:00\nd = 1979-05-27\ne = 07:32:00",
  "a = true # b\nc = false",
] as const;

const invalid = [
  "a",
  "a =",
  "= 1",
  "a = 1 b = 2",
  "a = 1\na = 2",
  "a.b = 1\na = 2",
  "[a]\n[a]",
  "[a\nx = 1",
  "[[a]\n",
  "a = [1, 2",
  "a = { b = 1 }\n[a.c]",
  "a = {b = 1\na = 2",
  "a = 01",
  "a = 1__0",
  "a = 1.",
  "a = .5",
  "a = 1979-13-27",
  'a = "\\q"',
  'a = "x\ny"',
  'a = "\u0000"',
  "a = 'x",
  "a = tru",
  "\u0001",
  "a = 1\n[a]",
  "[a]\nb.c = 1\n[a.b]",
] as const;

/** Files of the suite; empty without one. */
function listSuite(kind: "valid" | "invalid"): readonly (readonly [string, string])[] {
  const folder = process.env["TOML_SUITE"];
  if (folder === undefined) return [];
  const files = globSync(`${kind}/**/*.toml`, { cwd: folder });
  return files.flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    const isText = bytes.toString("utf8").isWellFormed() && Buffer.from(bytes.toString("utf8")).equals(bytes);
    return isText ? [[file, bytes.toString("utf8")] as const] : [];
  });
}

describe("what is TOML is read, and its keys have places", () => {
  test.for([...valid.map((text) => [text, text] as const), ...listSuite("valid")])("%j", ([, text]) => {
    const table = parseToml(text, "x");
    const places = locateKeys(text);
    expect(places.size).toBeGreaterThanOrEqual(Object.keys(table).length);
  });
});

describe("what is none is told with its line", () => {
  test.for([...invalid.map((text) => [text, text] as const), ...listSuite("invalid")])("%j", ([, text]) => {
    expect(() => parseToml(text, "x")).toThrow(/^x:\d+:\d+: this is not valid TOML: /);
  });
});

test("a key can be set in any of the documents, and what else they say stays", async () => {
  for (const text of [...valid, ...listSuite("valid").map(([, each]) => each)]) {
    await using home = await createTempHome({ "config.toml": text });
    await setConfigKey(home.configFile, "sandbox.max_processes", "7");
    const after = parseToml(readFileSync(home.configFile, "utf8"), "x");
    expect(after).toEqual({ ...parseToml(text, "x"), sandbox: { max_processes: 7 } });
  }
});
