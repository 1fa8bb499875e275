import { createSecretMask, type NamedSecret, redactSecrets, type SecretMask, shortestSecret } from "@unroll/text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const key = "sk-A/b+c d'8?ÿ";
const name = "A_KEY";
const mask = createSecretMask([{ name, value: key }]);

function undo(each: SecretMask, text: string): string {
  return each
    .findStandIns(text)
    .reduce((undone, { text: standIn, value }) => undone.replaceAll(standIn, () => value ?? standIn), text);
}

function inPieces(each: SecretMask, pieces: readonly string[]): string {
  const stream = each.stream();
  return [...pieces.map((piece) => stream.write(piece)), stream.end()].join("");
}

describe("a value is found", () => {
  const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const base64url = (text: string): string =>
    base64(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  test.for([
    ["as it is", key],
    ["in an address", encodeURIComponent(key)],
    ["in an address, in lower case", encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())],
    ["in an address, slashes kept", encodeURIComponent(key).replaceAll("%2F", "/")],
    [
      "in an address, every byte escaped",
      [...new TextEncoder().encode(key)].map((byte) => `%${byte.toString(16)}`).join(""),
    ],
    [
      "in an address, every byte escaped, in capitals",
      [...Buffer.from(key)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(""),
    ],
    ["in a form", new URLSearchParams({ x: key }).toString().slice(2)],
    ["in base64", base64(key)],
    ["in base64 without padding", base64(key).replaceAll("=", "")],
    ["in base64 for addresses", base64url(key)],
    ["in base64 within other data, at no offset", base64(`abc${key}zzz`)],
    ["in base64 within other data, at the offset 1", base64(`x${key}zzz`)],
    ["in base64 within other data, at the offset 2", base64(`us${key}zzz`)],
    ["in base64 for addresses within other data", base64url(`us${key}zzz`)],
  ] as const)("%s", ([, text]) => {
    const masked = mask.mask(`before ${text} behind`);
    const stem = /\[masked-secret:A_KEY[\w:-]*\]/;
    expect(masked).toMatch(stem);
    expect(masked.replace(stem, "").length).toBeLessThan("before  behind".length + 12);
    expect(undo(mask, masked)).toBe(`before ${text} behind`);
  });

  test("in JSON, and with the line ends of a terminal", () => {
    const value = 'line "one"\nline two\n';
    const lines = createSecretMask([{ name: "PEM", value }]);
    expect(lines.mask(JSON.stringify({ value }))).toBe('{"value":"[masked-secret:PEM:json]"}');
    expect(mask.mask(JSON.stringify(key).slice(1, -1).replaceAll("/", "\\/"))).toBe("[masked-secret:A_KEY:json-2]");
    expect(lines.mask(value.replaceAll("\n", "\r\n"))).toBe("[masked-secret:PEM:crlf]");
  });
});

describe("characters that show nothing", () => {
  const hidden = ["\u200b", "\u00ad", "\u2060", "\ufeff", "\ufe0f", "\u202e", "\u{e0041}"];

  test.for(hidden)("do not keep a value from being found: %j between its characters", (character) => {
    const text = `before ${key.split("").join(character)} behind`;
    expect(mask.mask(text)).toBe("before [masked-secret:A_KEY] behind");
    expect(redactSecrets(text, [key])).toBe("before [secret] behind");
  });

  test("stay where they are around a value, however the text is cut", () => {
    const character = fc.constantFrom(...hidden.slice(0, 6), ...new Set(key));
    fc.assert(
      fc.property(fc.array(fc.oneof(character, fc.constant(key)), { maxLength: 40 }), fc.nat(), (parts, seed) => {
        const text = parts.join("");
        const at = seed % (text.length + 1);
        expect(inPieces(mask, [text.slice(0, at), text.slice(at)])).toBe(mask.mask(text));
      }),
    );
    expect(mask.mask(`a\u200b${key}\u200b b\u200b`)).toBe("a\u200b[masked-secret:A_KEY]\u200b b\u200b");
  });
});

describe("stand-ins", () => {
  test("are made of names and order alone, so they are the same in every process", () => {
    const secrets = (values: readonly string[]): readonly NamedSecret[] =>
      ["A", "A", "b c/", "overlap"].map((each, index) => ({ name: each, value: values[index] ?? "" }));
    const shown = (values: readonly string[]): string => createSecretMask(secrets(values)).mask(values.join(" "));
    const expected = "[masked-secret:A] [masked-secret:A-2] [masked-secret:b_c_] [masked-secret:overlap-2]";
    expect(shown(["11111111", "22222222", "33333333", "44444444"])).toBe(expected);
    expect(shown(["first-value", "second-value", "third-value", "fourth-value"])).toBe(expected);
  });

  test("of a value under two names have the first one", () => {
    const twice = ["FIRST", "SECOND"].map((each) => ({ name: each, value: "the-same-value" }));
    expect(createSecretMask(twice).mask("the-same-value")).toBe("[masked-secret:FIRST]");
  });

  test("are distinguished from text that only looks like one", () => {
    expect(mask.findStandIns("[masked-secret:A_KEY] [masked-secret:GONE] [masked-secret:overlap] [secret]")).toEqual([
      { text: "[masked-secret:A_KEY]", value: key },
      { text: "[masked-secret:GONE]", value: null },
      { text: "[masked-secret:overlap]", value: null },
    ]);
  });
});

test("of values that begin alike the longest counts", () => {
  const nested = createSecretMask([
    { name: "SHORT", value: "abcdefgh" },
    { name: "LONG", value: "abcdefghijkl" },
  ]);
  expect(nested.mask("abcdefghijkl abcdefghijkX")).toBe("[masked-secret:LONG] [masked-secret:SHORT]ijkX");
});

test("what is left of a value that overlaps with another is masked too", () => {
  const overlapping = createSecretMask([
    { name: "ONE", value: "abcdefgh" },
    { name: "TWO", value: "efghijkl" },
  ]);
  expect(overlapping.mask("abcdefghijkl.")).toBe("[masked-secret:ONE][masked-secret:overlap].");
  expect(createSecretMask([{ name: "A", value: "a".repeat(8) }]).mask("a".repeat(1000))).toBe(
    "[masked-secret:A][masked-secret:overlap]",
  );
});

test("short values, and those that a stand-in holds, are let be", () => {
  const secrets = ["1234567", "", "masked-secret", "A_NAME_OF_A_KEY"].map((value) => ({
    name: "A_NAME_OF_A_KEY",
    value,
  }));
  const idle = createSecretMask(secrets);
  const text = "1234567 masked-secret A_NAME_OF_A_KEY";
  expect(idle.mask(text)).toBe(text);
  expect(createSecretMask([]).isEmpty).toBe(true);
  expect(mask.isEmpty).toBe(false);
});

test("only an end that may begin a secret is held back", () => {
  const stream = createSecretMask([{ name: "K", value: "secret-value" }]).stream();
  expect([stream.write("Password: "), stream.write("s"), stream.write("ecre"), stream.write("cy")]).toEqual([
    "Password: ",
    "",
    "",
    "secrecy",
  ]);
  expect([stream.hasMasked, stream.write("secret-val"), stream.end()]).toEqual([false, "", "secret-val"]);
});

const letters = fc.constantFrom("a", "b", "ü", "/");
const secrets = fc.array(fc.string({ unit: letters, minLength: shortestSecret, maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
});
const known = secrets.map((values) => values.map((value, index) => ({ name: `K${index}`, value })));
const parts = fc.infiniteStream(fc.oneof(fc.string({ unit: letters, maxLength: 9 }), fc.nat(3), fc.constant("\n")));
const sample = fc.tuple(known, parts).map(([named, stream]) => {
  const values = [...stream.take(10)].map((part) => (typeof part === "string" ? part : (named[part]?.value ?? "")));
  return { named, text: values.join("") };
});

test("no value is left in a text, and a text without one stays as it is", () => {
  const property = fc.property(sample, ({ named, text }) => {
    const masked = createSecretMask(named).mask(text);
    for (const { value } of named) expect(masked).not.toContain(value);
    expect(masked === text).toBe(!named.some(({ value }) => text.includes(value)));
    expect(createSecretMask(named).mask(masked)).toBe(masked);
  });
  fc.assert(property, { numRuns: 500 });
});

test("wherever a text is cut, the stream gives what the whole gives", () => {
  const property = fc.property(sample, fc.array(fc.nat(200), { maxLength: 6 }), ({ named, text }, cuts) => {
    const each = createSecretMask(named);
    const whole = each.mask(text);
    for (let at = 0; at <= text.length; at += 1) {
      expect(inPieces(each, [text.slice(0, at), text.slice(at)])).toBe(whole);
    }
    const sorted = [0, ...cuts.toSorted((one, other) => one - other), text.length];
    expect(
      inPieces(
        each,
        sorted.slice(1).map((cut, index) => text.slice(sorted[index], cut)),
      ),
    ).toBe(whole);
    expect(inPieces(each, text.split(""))).toBe(whole);
  });
  fc.assert(property, { numRuns: 200 });
});

test("putting the values back gives the text, where none overlaps", () => {
  const property = fc.property(sample, ({ named, text }) => {
    const each = createSecretMask(named);
    const masked = each.mask(text);
    fc.pre(!masked.includes("overlap"));
    expect(undo(each, masked)).toBe(text);
  });
  fc.assert(property, { numRuns: 300 });
});

test("a stream holds back less than the longest form of a secret has", () => {
  const property = fc.property(sample, ({ named, text }) => {
    const each = createSecretMask(named);
    fc.pre(!each.mask(text).includes("overlap"));
    const longest = Math.max(...named.map(({ value }) => encodeURIComponent(value).length));
    const stream = each.stream();
    let shown = "";
    for (let at = 0; at < text.length; at += 1) {
      shown += stream.write(text[at] ?? "");
      expect(at + 1 - undo(each, shown).length).toBeLessThan(longest);
    }
  });
  fc.assert(property, { numRuns: 100 });
});

type WriteHex = (code: number, length?: number) => string;

/** How programs write a character. */
function listSpellings(character: string, toHex: WriteHex): readonly string[] {
  const bytes = [...new TextEncoder().encode(character)];
  const units = character.split("").map((unit) => unit.charCodeAt(0));
  const code = character.codePointAt(0) ?? 0;
  const letters = new Map([
    ["\n", "\\n"],
    ["\t", "\\t"],
    [" ", "+"],
  ]);
  return [
    character,
    ...["%", "%25", "\\x"].map((prefix) => bytes.map((byte) => prefix + toHex(byte, 2)).join("")),
    ...["\\u", "\\\\u"].map((prefix) => units.map((unit) => prefix + toHex(unit, 4)).join("")),
    `\\u{${toHex(code)}}`,
    `&#${code};`,
    `&#x${toHex(code)};`,
    ...(/[\w\s]/.test(character) ? [] : [`\\${character}`]),
    ...[letters.get(character) ?? []].flat(),
  ];
}

/** A value, and a text that has each of its characters in any spelling, with hexadecimal digits in any case. */
const spelled = fc
  .tuple(
    fc.string({
      unit: fc.constantFrom(...'abcnu25/+=% \\"&;\n\t-_?üé€'.split(""), "\u{1f511}"),
      minLength: 8,
      maxLength: 14,
    }),
    fc.infiniteStream(fc.nat(99)),
  )
  .map(([value, choices]) => {
    const choose = (): number => Number(choices.next().value);
    const toHex: WriteHex = (code, length = 1) =>
      Array.from(code.toString(16).padStart(length, "0"), (each) => (choose() % 2 ? each.toUpperCase() : each)).join(
        "",
      );
    const characters = Array.from(value, (character) => {
      const spellings = listSpellings(character, toHex);
      return spellings[choose() % spellings.length] ?? character;
    });
    return { value, text: characters.join("") };
  });

test("a value is masked in any mixture of encodings, also of its base64, and the text around it stays", () => {
  const around = fc.constantFrom("", "key: ", "x=", "100%", "\\", "%2", "&#", '{"a":"', "\\u00");
  const property = fc.property(spelled, around, around, ({ value, text }, before, behind) => {
    fc.pre(!"[masked-secret:K:escaped]".includes(value));
    const each = createSecretMask([{ name: "K", value }]);
    const masked = each.mask(`${before} ${text} ${behind}`);
    const [stem] = masked.match(/\[masked-secret:K(:[\w-]+)?\]/) ?? [];
    expect(masked.replaceAll(/[\s\\+]/g, "")).toBe(`${before}${stem}${behind}`.replaceAll(/[\s\\+]/g, ""));
    expect(each.mask(`${before}${text}${behind}`)).toContain("[masked-secret:K");
  });
  fc.assert(property, { numRuns: 500 });
  const base64 = createSecretMask([{ name: "K", value: "sk-live?~~~~~" }]);
  expect(base64.mask("c2stbGl2ZT9%2bfn5\\u002b%66g\\u003d\\u003D")).toBe("[masked-secret:K:escaped]");
});

test("wherever a text with a mixture of encodings is cut, the stream gives what the whole gives", () => {
  const property = fc.property(spelled, fc.constantFrom("", "a", "\\", "%"), ({ value, text }, around) => {
    const each = createSecretMask([{ name: "K", value }]);
    const whole = `${around}${text}${around}${text}`;
    const masked = each.mask(whole);
    expect(inPieces(each, whole.split(""))).toBe(masked);
    for (let at = 0; at <= whole.length; at += 1)
      expect(inPieces(each, [whole.slice(0, at), whole.slice(at)])).toBe(masked);
  });
  fc.assert(property, { numRuns: 60 });
});

test("a value that was escaped can be put back where programs write it so, and is not known otherwise", () => {
  const each = createSecretMask([{ name: "K", value: "abc/def=gh" }]);
  expect(each.findStandIns(each.mask("abc%2Fdef%3Dgh abc%2fdef=gh"))).toEqual([
    { text: "[masked-secret:K:url]", value: "abc%2Fdef%3Dgh" },
    { text: "[masked-secret:K:escaped]", value: null },
  ]);
});

// One for each property, and all that masks missed once.
const unseen = [
  0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180f, 0x200b, 0x2028, 0x2029, 0x202e,
  0x2060, 0x2800, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffb, 0x1_3430, 0x1_bca0, 0x1_d173, 0xe_0041, 0x00, 0x08,
  0x0b, 0x0d, 0x1b, 0x7f, 0x85,
].map((code) => String.fromCodePoint(code));

test.each(unseen.map((character) => [`U+${character.codePointAt(0)?.toString(16)}`, character]))(
  "a value is found with a character inside that shows nothing: %s",
  (_, character) => {
    const text = `a ${key.slice(0, 5)}${character}${key.slice(5)} z`;
    expect(mask.mask(text)).toBe("a [masked-secret:A_KEY] z");
    for (let cut = 0; cut <= text.length; cut += 1)
      expect(inPieces(mask, [text.slice(0, cut), text.slice(cut)])).toBe("a [masked-secret:A_KEY] z");
    expect(redactSecrets(text, [key])).toBe("a [secret] z");
  },
);

test("carriage returns outside of a value stay, however a text is cut", () => {
  const text = `1 %\r2 %\r\n${key}\r\nend\r`;
  const masked = text.replace(key, "[masked-secret:A_KEY]");
  expect(mask.mask(text)).toBe(masked);
  for (let cut = 0; cut <= text.length; cut += 1)
    expect(inPieces(mask, [text.slice(0, cut), text.slice(cut)])).toBe(masked);
});
