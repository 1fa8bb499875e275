import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../../docs/screens");
const demo = readFileSync(join(folder, "demo.svg"), "utf8");

test("the moving picture shows a task, two questions and its end, and each row that it uses is in it", () => {
  for (const words of ["fix the failing test", "node --test", "Math.floor", "Fixed: all tests pass."])
    expect(demo).toContain(words);
  const used = new Set([...demo.matchAll(/<use href="#(\w+)"/g)].map(([, name = ""]) => name));
  const drawn = new Set([...demo.matchAll(/<g id="(\w+)"/g)].map(([, name = ""]) => name));
  expect(used.size).toBeGreaterThan(50);
  expect(used).toEqual(drawn);
});

test("without animation the moving picture shows its last screen", () => {
  const [, still = ""] = /class="film" transform="translate\(0 (-\d+)\)"/.exec(demo) ?? [];
  expect(demo).toContain(`100%{transform:translateY(${still}px)}`);
  expect(demo).toContain("@media(prefers-reduced-motion:reduce){.film{animation:none}}");
});

test("no screen of the docs breaks a line that it could show whole, nor holds a path of this machine", () => {
  const screens = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  expect(screens.length).toBeGreaterThan(5);
  expect(screens.filter(({ text }) => /↪|\/tmp\//.test(text)).map(({ name }) => name)).toEqual([]);
});
