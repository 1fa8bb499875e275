import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatchFunctionDescription, applyPatchGrammar, parsePatch } from "@unroll/apply-patch";
import { expect, test } from "vitest";
import { updatePatch, wholePatch } from "./apply-text.ts";

const grammar = toRegExp(applyPatchGrammar);

test.for([
  wholePatch("*** Add File: a", "+x", "+", "*** Delete File: b"),
  wholePatch("*** Add File: empty"),
  updatePatch("a", "*** Move to: b"),
  updatePatch("a", "*** Move to: b", "@@", "-x", "+y", "*** End of File"),
  updatePatch("a", " x", "-y", "@@ f", "@@ g", "+z", "@@", " ", "-w"),
  `${updatePatch("a", "@@", "+x")}\n`,
])("the grammar lets a model write what the parser reads: %j", (patch) => {
  expect([grammar.test(patch), parsePatch(patch).type]).toEqual([true, "patch.parsed"]);
});

test.for([
  wholePatch(),
  wholePatch("*** Add File: a", "x"),
  wholePatch("*** Add File: "),
  updatePatch("a"),
  updatePatch("a", "@@"),
  updatePatch("a", "@@", "*** End of File"),
  updatePatch("a", "@@", "+x", "*** Move to: b"),
  updatePatch("a", "@@", "+x", "*** End of File", "+y"),
  "*** Begin Patch\n*** Delete File: a",
])("the grammar rules out what the parser refuses: %j", (patch) => {
  expect([grammar.test(patch), parsePatch(patch).type]).toEqual([false, "patch.failed"]);
});

test("all that the grammar allows among the conformance patches is read by the parser", () => {
  const root = join(import.meta.dirname, "../../../conformance/apply-patch");
  const folders = readdirSync(root).filter((name) => /^\d/.test(name));
  const patches = folders.map((name) => readFileSync(join(root, name, "patch.txt"), "utf8"));
  const allowed = patches.filter((patch) => grammar.test(patch));
  expect(allowed.length).toBeGreaterThan(30);
  expect(allowed.map((patch) => parsePatch(patch).type)).toEqual(allowed.map(() => "patch.parsed"));
});

test("the example in the function form's description is a patch", () => {
  const example = /^\*\*\* Begin Patch\n.*^\*\*\* End Patch$/ms.exec(applyPatchFunctionDescription)?.[0] ?? "";
  expect(parsePatch(example).type).toBe("patch.parsed");
});

/** The grammar has no rule that contains itself, so it comes down to one regular expression. */
function toRegExp(lark: string): RegExp {
  const rules = new Map(
    lark
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const),
  );
  const expand = (name: string): string => {
    const body = rules.get(name);
    if (body === undefined) throw new Error(`The grammar has no rule ${name}.`);
    const tokens = body.match(/"(?:[^"\\]|\\.)*"|\/(?:[^/\\]|\\.)+\/|\w+|[^\s\w]/g) ?? [];
    const pieces = tokens.map((token) => {
      if (token.startsWith('"')) return `(?:${(JSON.parse(token) as string).replace(/[*+@-]/g, "\\$&")})`;
      if (token.startsWith("/")) return `(?:${token.slice(1, -1)})`;
      return /\w/.test(token) ? `(?:${expand(token)})` : token;
    });
    return pieces.join("");
  };
  return new RegExp(`^${expand("start")}$`);
}
