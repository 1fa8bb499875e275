import { describeJsonFault } from "@unroll/text";
import fc from "fast-check";
import { expect, it } from "vitest";

it.each([
  ['{"a": 1}', null],
  ['{"turns": [}', "line 1, column 12: Unexpected token '}'"],
  ['{\n  "a": 1,\n  b: 2\n}', "line 3, column 3: Expected double-quoted property name"],
  ['{"a": [1, 2', "line 1, column 12: Expected ',' or ']' after array element"],
  ["", "line 1, column 1: Unexpected end of JSON input"],
  ["[1]\n[2]", "line 2, column 1: Unexpected non-whitespace character"],
  ['["a\nb"]', "line 1, column 4: Bad control character in string literal"],
  ["[nul]", "line 1, column 5: Unexpected token ']'"],
])("says of %j: %s", (text, fault) => {
  expect(describeJsonFault(text)).toBe(fault);
});

it("names the place of a stray character, with any text before and after it", () => {
  const any = fc.json({ maxDepth: 3 });
  fc.assert(
    fc.property(any, any, (before, behind) => {
      expect(describeJsonFault(`[${before},\n?${behind}]`)).toMatch(/^line 2, column 1: Unexpected token '\?'$/);
    }),
    { numRuns: 200 },
  );
});
