import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sliceJson, sliceMember } from "../src/decode/slice-json.ts";

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
