import { isInside } from "@unroll/files";
import fc from "fast-check";
import { expect, it } from "vitest";
import { orderRules, pinAncestors, type PathRule } from "../../src/policy/path-rule.ts";

const path = fc
  .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join("/")}`);
const rule = fc.record({
  type: fc.constantFrom("writable", "read-only", "absent", "hidden-folder"),
  path,
}) as fc.Arbitrary<PathRule>;

it("folders come before what is in them, each path once, with its strictest rule", () => {
  fc.assert(
    fc.property(fc.array(rule), (rules) => {
      const ordered = orderRules(rules);
      expect(new Set(ordered.map((each) => each.path))).toEqual(new Set(rules.map((each) => each.path)));
      expect(new Set(ordered.map((each) => each.path)).size).toBe(ordered.length);
      for (const [index, outer] of ordered.entries()) {
        expect(ordered.slice(0, index).some((inner) => isInside(inner.path, outer.path))).toBe(false);
      }
      for (const { path: place, type } of ordered) {
        const types = rules.filter((each) => each.path === place).map((each) => each.type);
        expect(
          types.includes("hidden-folder")
            ? "hidden-folder"
            : types.includes("absent")
              ? "absent"
              : types.includes("read-only")
                ? "read-only"
                : "writable",
        ).toBe(type);
      }
    }),
  );
});

it("no folder between a root and what is protected in it can be renamed", () => {
  const rules: PathRule[] = [
    { type: "writable", path: "/w" },
    { type: "read-only", path: "/w/a/b/hooks" },
    { type: "read-only", path: "/elsewhere/x/y" },
  ];
  expect(pinAncestors(rules, ["/w"]).map(({ type, path: place }) => `${type} ${place}`)).toEqual([
    "writable /w",
    "writable /w/a",
    "read-only /elsewhere/x/y",
    "writable /w/a/b",
    "read-only /w/a/b/hooks",
  ]);
});

it("a folder that holds what is hidden, or a root, is tied to its place, but never opened", () => {
  const rules = orderRules([
    { type: "writable", path: "/w" },
    { type: "writable", path: "/w/p/q" },
    { type: "hidden-file", path: "/w/p/q/conf/key" },
    { type: "read-only", path: "/w/agent" },
    { type: "hidden-file", path: "/w/agent/deep/key" },
    { type: "hidden-folder", path: "/w/secret" },
    { type: "hidden-folder", path: "/w/secret/deep/er" },
  ]);
  const pins = orderRules([...rules, { type: "writable", path: "/w/p" }, { type: "writable", path: "/w/p/q/conf" }]);
  expect(pinAncestors(rules, ["/w", "/w/p/q"])).toEqual(pins);
});

it("the root folder holds everything", () => {
  expect([isInside("/a", "/"), isInside("/ab", "/a"), isInside("/a", "/a"), isInside("/a/b", "/a")]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
