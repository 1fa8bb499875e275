import { expect, test } from "vitest";
import {
  chooseColorDepth,
  chooseColorScheme,
  type ColorDepth,
  createPainter,
  findTheme,
  type Role,
  themes,
} from "@unroll/screen";

function paint(roles: readonly Role[], colors: ColorDepth, name = "dark"): string {
  const theme = findTheme(name);
  if (theme === null) throw new Error("no such theme");
  return createPainter({ theme, colors, hasLinks: true })
    .paint([{ text: "x", roles }])
    .replaceAll("\u001b", "^");
}

test("a role is painted in as many colours as there are", () => {
  expect(paint(["error"], "truecolor")).toBe("^[38;2;255;123;114mx^[0m");
  expect(paint(["error"], "256")).toBe("^[38;5;209mx^[0m");
  expect(paint(["error"], "16")).toBe("^[91mx^[0m");
  expect(paint(["error"], "none")).toBe("x");
  expect(paint(["strong", "error"], "16")).toBe("^[1;91mx^[0m");
  expect(paint(["added", "added-word"], "truecolor")).toBe("^[38;2;143;214;148;48;2;31;92;51mx^[0m");
  expect(paint(["added", "added-word"], "16")).toBe("^[7;92mx^[0m");
  expect(paint(["selected"], "none")).toBe("^[7mx^[0m");
});

test("every theme styles each role, and a changed word looks different from its line", () => {
  for (const { name } of themes) {
    for (const depth of ["truecolor", "256", "16"] as const) {
      expect(paint(["added", "added-word"], depth, name)).not.toBe(paint(["added"], depth, name));
      expect(paint(["error"], depth, name)).toContain("x");
    }
  }
});

test.each([
  [{ COLORTERM: "truecolor", TERM: "xterm-256color" }, "truecolor"],
  [{ TERM: "xterm-256color" }, "256"],
  [{ TERM: "xterm" }, "16"],
  [{ TERM: "dumb" }, "none"],
  [{}, "none"],
  [{ TERM: "xterm-256color", NO_COLOR: "1" }, "none"],
  [{ TERM: "xterm-256color", NO_COLOR: "" }, "256"],
  [{ TERM: "xterm-kitty" }, "truecolor"],
  [{ TERM: "dumb", FORCE_COLOR: "2" }, "256"],
])("%j gives %s", (environment, depth) => {
  expect(chooseColorDepth(environment)).toBe(depth);
});

test("the background is dark unless the terminal says that it is light", () => {
  expect(chooseColorScheme({ red: 1, green: 1, blue: 0.9 }, undefined)).toBe("light");
  expect(chooseColorScheme({ red: 0.1, green: 0.1, blue: 0.2 }, "0;15")).toBe("dark");
  expect(chooseColorScheme(null, "0;15")).toBe("light");
  expect(chooseColorScheme(null, undefined)).toBe("dark");
});
