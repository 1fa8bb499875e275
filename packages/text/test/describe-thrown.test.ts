import { describeThrown } from "@unroll/text";
import { expect, it } from "vitest";

it("gives the message of an error, and anything else as text", () => {
  const thrown = [new TypeError("no such thing"), "a text", 7, null, undefined, { toString: () => "its own" }];
  expect(thrown.map(describeThrown)).toEqual(["no such thing", "a text", "7", "null", "undefined", "its own"]);
});

it("gives nothing for what cannot be made a text", () => {
  expect(describeThrown(Object.create(null))).toBe("");
});
