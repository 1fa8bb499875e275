import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dropMember, sliceJson, sliceMember } from "../src/decode/slice-json.ts";

const spaced = fc.record({
  value: fc.jsonValue({ noUnicodeString: false }),
  space: fc.constantFrom("", " ", "\t", 1, 3),
});

test("any JSON container is cut into exactly the texts of its parts", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), spaced), fc.constantFrom("", " ", "\n\t"), (parts, blank) => {
      const texts = Object.entries(parts).map(([key, { value, space }]) => ({
        key,
        text: JSON.stringify(value, null, space),
      }));
      const members = texts.map(({ key, text }) => `${blank}${JSON.stringify(key)}${blank}:${blank}${text}${blank}`);
      expect(sliceJson(`${blank}{${members.join(",") || blank}}${blank}`)).toEqual(texts);
      const elements = texts.map(({ text }) => `${blank}${text}${blank}`);
      expect(sliceJson(`[${elements.join(",")}]`)).toEqual(texts.map(({ text }) => ({ key: null, text })));
    }),
  );
});

test("escapes and numbers stay as they were written, and the last of two members of a name counts", () => {
  const json = String.raw`{"item":1,"it\u0065m" : {"a\\":"\"}]\u00e9\\", "n":-1.50E+2, "e":[], "t":true},"x":null}`;
  expect(sliceMember(json, "item")).toBe(String.raw`{"a\\":"\"}]\u00e9\\", "n":-1.50E+2, "e":[], "t":true}`);
  expect(sliceMember(json, "x")).toBe("null");
  expect(sliceMember(json, "y")).toBeNull();
  expect(sliceMember("7", "y")).toBeNull();
});

test("a member is dropped by its name, at any depth, and nothing that only looks like one in a text", () => {
  const json = String.raw`{"a":"\"tools\":[1]","b":{"tools":[{"x":"]\"}"},"\\"],"c":1},"tools":2}`;
  expect(JSON.parse(dropMember(json, "tools"))).toEqual({ a: '"tools":[1]', b: { tools: null, c: 1 }, tools: 2 });
  expect(dropMember(json, "c")).toBe(json.replace('"c":1', '"c":null'));
  expect(dropMember(json, "d")).toBe(json);
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.jsonValue(), (value, dropped) => {
      const text = JSON.stringify({ value, "some tools": dropped, end: 1 });
      expect(JSON.parse(dropMember(text, "some tools"))).toEqual(
        JSON.parse(JSON.stringify({ value, "some tools": null, end: 1 })),
      );
    }),
    { numRuns: 50 },
  );
});

test("a text that breaks off is cut at its end", () => {
  expect(dropMember('{"tools":["a', "tools")).toBe('{"tools":null');
  expect(dropMember('{"tools":"a\\"', "tools")).toBe('{"tools":null');
});
