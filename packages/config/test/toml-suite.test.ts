import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TomlDate } from "smol-toml";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { removeTomlKey, setTomlValue } from "../src/edit/edit-toml.ts";
import { type KeyPlace, locateKeys } from "../src/toml/locate-keys.ts";
import { parseToml } from "../src/toml/parse-toml.ts";
import { type KeyPath, isTable, type Table, mergeTables, nestValue, withoutValue } from "../src/toml/table.ts";
import { demandSameReading } from "./fixture/independent-reader.ts";

/**
 * Requirements of toml-test, in documents of our own. For the whole suite, `TOML_SUITE` names the
 * `tests` folder of toml-test (MIT): of a checkout, or of the Debian package
 * `golang-github-burntsushi-toml-dev`, as the README says.
 */
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
  'a = 2020-02-29 # 2021-02-29, +0900\nb = [2000-02-29T00:00-07:00]\nc = "2021-02-30"',
  // TOML 1.1 (https://github.com/toml-lang/toml/blob/main/CHANGELOG.md): escapes, times without seconds, inline tables over lines
  'a = "\\e[1m\\x41\\xe9"\nb = """\\x41\\e"""',
  "a = 07:32\nb = 1979-05-27T07:32\nc = 1979-05-27 07:32Z\nd = 1979-05-27T07:32-07:00",
  "a = {\n b = 1, # one\n c.d = 2, # two\n}\n",
  "a = {\r\n\tb = { c = [1,\r\n2,], },\r\n\td = 1 # last\r\n}\r\n",
  "a = { b = 1, }\nc = {\n # none\n}\nd = {\n}",
  "a = {\n b = 1\n , c = 2 # two\n , }",
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
  "a = 2021-02-29",
  "a = [{ b = 1900-02-29T07:32:00Z }]",
  "a = 2021-04-31T07:32",
  "a = 1979-05-27T07:32:00+0900",
  'a = "\\q"',
  'a = "x\ny"',
  'a = "\u0000"',
  "a = 'x",
  "a = tru",
  "\u0001",
  "a = 1\n[a]",
  "[a]\nb.c = 1\n[a.b]",
  'a = "\\x4"',
  'a = "\\E"',
  "a = 7:32",
  "a = 1979-05-27T07",
  "a = {,}",
  "a = { b = 1,, }",
  "a = {\n b = 1\n c = 2\n}",
  "a = { b =\n1 }",
  "a = { b = 1, # c }",
] as const;

/**
 * Documents that TOML 1.0 forbids and TOML 1.1, which our reader reads, allows. A suite of 1.0 has
 * them among the invalid ones.
 */
const allowedSince11: ReadonlyMap<string, string> = new Map([
  ["invalid/datetime/no-secs.toml", "a time may leave its seconds out"],
  ["invalid/inline-table/linebreak-1.toml", "an inline table may have line breaks"],
  ["invalid/inline-table/linebreak-2.toml", "an inline table may have line breaks"],
  ["invalid/inline-table/linebreak-3.toml", "an inline table may have line breaks"],
  ["invalid/inline-table/linebreak-4.toml", "an inline table may have line breaks"],
  ["invalid/inline-table/trailing-comma.toml", "an inline table may end with a comma"],
  ["invalid/string/basic-byte-escapes.toml", "a string may have \\xHH"],
]);

/** Files of the suite; empty without one. */
function listSuite(kind: "valid" | "invalid"): readonly (readonly [string, string])[] {
  const folder = process.env["TOML_SUITE"];
  if (folder === undefined) return [];
  const files = globSync(`${kind}/**/*.toml`, { cwd: folder });
  return files.flatMap((file) => {
    const bytes = readFileSync(join(folder, file));
    const isText = bytes.toString("utf8").isWellFormed() && Buffer.from(bytes.toString("utf8")).equals(bytes);
    return isText && !allowedSince11.has(file) ? [[file, bytes.toString("utf8")] as const] : [];
  });
}

describe("what is TOML is read, and its keys have places", () => {
  test.for([...valid.map((text) => [text, text] as const), ...listSuite("valid")])("%j", ([, text]) => {
    const top = locateKeys(text);
    const paths = listPaths(parseToml(text, "x"), []);
    expect(paths.filter((path) => findPlace(top, path) === null)).toEqual([]);
  });
});

function findPlace(top: KeyPlace, path: KeyPath): KeyPlace | null {
  return path.reduce<KeyPlace | null>((place, key) => place?.below?.get(key) ?? null, top);
}

/** A value as toml-test writes it: `{"type": "integer", "value": "1"}`. */
const taggedSchema = z.strictObject({ type: z.string(), value: z.string() });

/** Ours beside the one that the suite wants, both as one text a value, where they are the same value. */
function toComparable(value: unknown): unknown {
  const tagged = taggedSchema.safeParse(value).data;
  if (tagged !== undefined) return describeTagged(tagged);
  if (Array.isArray(value)) return value.map(toComparable);
  if (value instanceof TomlDate) return describeDate(value.toISOString());
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toComparable(each)]));
  return typeof value === "string" ? `string ${value}` : describeScalar(value);
}

function describeTagged({ type, value }: z.infer<typeof taggedSchema>): string {
  if (type === "integer") return describeScalar(BigInt(value));
  if (type === "float") return describeScalar(Number(value.replace("inf", "Infinity")));
  if (type === "string") return `string ${value}`;
  return type === "bool" ? value : describeDate(value);
}

/** Whole numbers are one kind: `1.0` and `1` are the same to a reader of ours. */
function describeScalar(value: unknown): string {
  return typeof value === "number" ? String(value === 0 ? 0 : value) : String(value);
}

/** To the millisecond, and a time with an offset as the moment that it is. */
function describeDate(text: string): string {
  const plain = text
    .replace(" ", "T")
    .replace(/\.(\d+)/, (_, digits: string) => `.${digits.padEnd(3, "0").slice(0, 3)}`);
  const whole = plain.includes(".") ? plain : plain.replace(/(:\d\d:\d\d)/, "$1.000");
  return /T.*(Z|[+-]\d\d:\d\d)$/i.test(whole) ? new Date(whole).toISOString() : whole;
}

const sampleValues = [
  ["a = 0x10\nb = -1.5\nc = inf", { a: tag("integer", "16"), b: tag("float", "-1.5"), c: tag("float", "inf") }],
  ['a = {\n b = "\\x41\\e", # c\n}', { a: { b: tag("string", "A\u001b") } }],
  ["a = [{b = true}, {}]", { a: [{ b: tag("bool", "true") }, {}] }],
  [
    'a = """\nx\\\n  y"""\nb = 1979-05-27 00:32:00.5-07:00\nc = 07:32',
    {
      a: tag("string", "xy"),
      b: tag("datetime", "1979-05-27T07:32:00.500Z"),
      c: tag("time-local", "07:32:00"),
    },
  ],
] as const;

function tag(type: string, value: string): z.infer<typeof taggedSchema> {
  return { type, value };
}

/** The values that the suite's JSON wants of its documents. */
function listSuiteValues(): readonly (readonly [string, unknown])[] {
  const folder = process.env["TOML_SUITE"] ?? "";
  return listSuite("valid").flatMap(([file, text]) => {
    const wanted = join(folder, file.replace(/toml$/, "json"));
    return existsSync(wanted) ? [[text, JSON.parse(readFileSync(wanted, "utf8"))] as const] : [];
  });
}

test.for([...sampleValues, ...listSuiteValues()])("the values of %j are read as they are", ([text, wanted]) => {
  expect(toComparable(parseToml(text, "x"))).toEqual(toComparable(wanted));
});

describe("an invalid document gives an error with its line", () => {
  test.for([...invalid.map((text) => [text, text] as const), ...listSuite("invalid")])("%j", ([, text]) => {
    expect(() => parseToml(text, "x")).toThrow(/^x:\d+:\d+: this is not valid TOML: /);
  });
});

/** Every key of the table, and of those below it. */
function listPaths(table: Table, parent: KeyPath): readonly KeyPath[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const path = [...parent, key];
    return [path, ...(isTable(value) ? listPaths(value, path) : [])];
  });
}

/** A table of nothing is there or not, by how it is written. */
function withoutEmpty(table: Table): Table {
  const entries = Object.entries(table).map(([key, value]) => [key, isTable(value) ? withoutEmpty(value) : value]);
  return Object.fromEntries(entries.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0)) as Table;
}

test("any key of any of the documents can be set, unset, and given a neighbour, and what else they say stays", () => {
  for (const text of [...valid, ...listSuite("valid").map(([, each]) => each)]) {
    const table = parseToml(text, "x");
    const read = (after: string): Table => {
      demandSameReading(after, text);
      return withoutEmpty(parseToml(after, after));
    };
    for (const path of [["new"], ...listPaths(table, [])]) {
      const without = withoutValue(table, path);
      const beside = [...path.slice(0, -1), "a neighbour"];
      expect(read(removeTomlKey(text, path))).toEqual(withoutEmpty(without));
      expect(read(setTomlValue(text, path, 7))).toEqual(withoutEmpty(mergeTables(without, nestValue(path, 7))));
      expect(read(setTomlValue(text, beside, 7))).toEqual(withoutEmpty(mergeTables(table, nestValue(beside, 7))));
    }
  }
});

test.for([
  // TOML 1.1
  'a = "\\e"',
  'a = "\\x41"',
  "a = {\n b = 1\n}",
  "a = { b = 1, }",
  // what it should know
  "a = 0e0",
])("what the second reader cannot read counts where we made it of a text that it could, and else not: %j", (text) => {
  expect(() => demandSameReading(text, "")).toThrow("The second reader cannot read what we wrote");
  expect(() => demandSameReading(text, `${text}\n`)).not.toThrow();
  expect(() => demandSameReading(text, null)).not.toThrow();
});

test("dates, times and large numbers are the same to both readers by their value", () => {
  const texts = [
    "a = 1979-05-27T07:32:00.5-07:00\nb = 1979-05-27 07:32:00Z\nc = 1979-05-27T07:32:00\nd = 1979-05-27\ne = 07:32:00",
    "a = 9223372036854775807\nb = -0\nc = 0xDEAD_beef\nd = [ nan, -inf, 1e3, 1.50 ]",
    'a = \'x\' # b\r\nc = """\r\nd\\\r\n  e"""\r\n',
  ];
  for (const text of texts) expect(() => demandSameReading(text, "")).not.toThrow();
});
