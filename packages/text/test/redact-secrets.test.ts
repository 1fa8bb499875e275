import { redactSecrets, shortestSecret } from "@unroll/text";
import fc from "fast-check";
import { expect, test } from "vitest";

const secret = fc.string({ unit: fc.constantFrom("a", "b", "-", "ü"), minLength: shortestSecret, maxLength: 12 });
const filler = fc.string({ unit: fc.constantFrom("a", "b", "-", " ", "\n"), maxLength: 12 });

test("no secret is left in a text, wherever it stands and whatever it overlaps with", () => {
  const secrets = fc.array(secret, { minLength: 1, maxLength: 4 });
  const property = fc.property(secrets, fc.infiniteStream(fc.oneof(filler, fc.nat(3))), (known, stream) => {
    const parts = [...stream.take(12)].map((part) => (typeof part === "string" ? part : (known[part] ?? "")));
    const redacted = redactSecrets(parts.join(""), known);
    for (const each of known) expect(redacted).not.toContain(each);
    expect(redacted.includes("[secret]")).toBe(known.some((each) => parts.join("").includes(each)));
  });
  fc.assert(property, { numRuns: 500 });
});

test("a text without a secret stays as it is, and what was cleared stays so", () => {
  const property = fc.property(filler, fc.array(secret, { maxLength: 3 }), (text, known) => {
    const redacted = redactSecrets(text, known);
    expect(redactSecrets(redacted, known)).toBe(redacted);
    expect(redacted === text).toBe(!known.some((each) => text.includes(each)));
  });
  fc.assert(property, { numRuns: 300 });
});

test("secrets that overlap become one, those side by side do not, and short values are let be", () => {
  expect(redactSecrets("key abcdefghijkl.", ["abcdefgh", "efghijkl"])).toBe("key [secret].");
  expect(redactSecrets("abcdefghabcdefgh", ["abcdefgh", "abcdefgh"])).toBe("[secret][secret]");
  expect(redactSecrets("true, v1 and 1234567", ["true", "v1", "", "1234567"])).toBe("true, v1 and 1234567");
});
