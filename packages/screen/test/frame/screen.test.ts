import { expect, test } from "vitest";
import {
  control,
  createPainter,
  createScreen,
  type LivePart,
  type Row,
  type Screen,
  type StyledLine,
  toStyledLines,
} from "@unroll/screen";
import { darkTheme } from "../dark-theme.ts";
import { createEmulator, type Emulator } from "../emulator.ts";

const painter = createPainter({ theme: darkTheme, colors: "truecolor", hasLinks: true });

function open(columns: number, rows: number): { screen: Screen; emulator: Emulator; paint: () => Promise<string> } {
  const screen = createScreen({ columns, rows, painter });
  const emulator = createEmulator(columns, rows);
  const paint = async (): Promise<string> => {
    const bytes = screen.frame();
    await emulator.write(bytes);
    return bytes;
  };
  return { screen, emulator, paint };
}

function part(
  texts: readonly string[],
  yields: LivePart["yields"] = "never",
  cursor?: { row: number; column: number },
): LivePart {
  const rows: Row[] = texts.map((text) => [{ text }]);
  return cursor === undefined ? { rows, yields } : { rows, yields, cursor };
}

function prose(text: string): StyledLine {
  return { spans: [{ text }], wrap: "words" };
}

const composer = part(["> write here", "status"], "never", { row: 0, column: 2 });

test("finished lines are above the live region, and the cursor is in the composer", async () => {
  const { screen, emulator, paint } = open(40, 10);
  await emulator.write("$ unroll\r\n");
  screen.commit([prose("one"), prose("two")]);
  screen.setLive([composer]);
  const bytes = await paint();
  expect(emulator.visible().slice(0, 5)).toEqual(["$ unroll", "one", "two", "> write here", "status"]);
  expect(emulator.cursor()).toEqual({ row: 4, column: 3 });
  expect([bytes.startsWith(control.beginUpdate), bytes.endsWith(control.endUpdate)]).toEqual([true, true]);
});

test("finished lines leave no cell of the old region behind", async () => {
  const { screen, emulator, paint } = open(20, 10);
  screen.setLive([part(Array.from({ length: 4 }, () => "░".repeat(19)))]);
  await paint();
  screen.commit([
    prose("one"),
    { ...prose("two"), wrap: "verbatim" },
    { ...prose("what goes on in another row"), wrap: "verbatim" },
  ]);
  screen.setLive([composer]);
  await paint();
  expect(emulator.lines().slice(0, 4)).toEqual(["one", "two", "what goes on in another row", "> write here"]);
});

test("finished lines that meet a window which was made narrower meanwhile wrap into erased rows", async () => {
  const { screen, emulator, paint } = open(40, 10);
  screen.setLive([part(Array.from({ length: 4 }, () => "░".repeat(19)))]);
  await paint();
  emulator.resize(20, 10);
  screen.commit([prose("many words that need another row"), prose("two")]);
  screen.setLive([composer]);
  await paint();
  expect(emulator.lines().slice(0, 2)).toEqual(["many words that need another row", "two"]);
});

test("where nothing changed there is nothing to write, and a moved cursor is not a repaint", async () => {
  const { screen, paint } = open(40, 10);
  screen.setLive([composer]);
  await paint();
  expect(screen.isDirty()).toBe(false);
  expect(screen.frame()).toBe("");
  screen.setLive([composer]);
  expect(screen.frame()).toBe("");
  screen.setLive([{ ...composer, cursor: { row: 0, column: 4 } }]);
  expect(screen.frame()).toBe("\u001b[5G");
});

test("only rows that changed are written again", async () => {
  const { screen, emulator, paint } = open(40, 10);
  screen.setLive([part(["aaa", "bbb", "ccc"]), composer]);
  await paint();
  screen.setLive([part(["aaa", "BBB", "ccc"]), composer]);
  const bytes = await paint();
  expect(bytes).not.toContain("aaa");
  expect(bytes).not.toContain("ccc");
  expect(bytes).not.toContain("> write here");
  expect(emulator.visible().slice(0, 5)).toEqual(["aaa", "BBB", "ccc", "> write here", "status"]);
});

test("a live region that grows and shrinks leaves no row behind, also at the end of the screen", async () => {
  const { screen, emulator, paint } = open(40, 8);
  screen.commit(Array.from({ length: 20 }, (_, index) => prose(`line ${index}`)));
  for (const height of [0, 3, 5, 1, 0, 4, 2]) {
    screen.setLive([part(Array.from({ length: height }, (_, index) => `tail ${index}`)), composer]);
    await paint();
    const seen = emulator.rows().filter((row) => row !== "");
    expect(seen.filter((row) => row.startsWith("line"))).toHaveLength(20);
    expect(seen.slice(20)).toEqual([
      ...Array.from({ length: height }, (_, index) => `tail ${index}`),
      "> write here",
      "status",
    ]);
  }
});

test("the live region is clamped: an output gives way, composer and status never", async () => {
  const { screen, emulator, paint } = open(40, 10);
  screen.commit([prose("kept")]);
  screen.setLive([
    part(
      Array.from({ length: 60 }, (_, index) => `tail ${index}`),
      "oldest",
    ),
    composer,
  ]);
  await paint();
  expect(emulator.rows()[0]).toBe("kept");
  expect(emulator.visible()).toEqual([
    "kept",
    "tail 53",
    "tail 54",
    "tail 55",
    "tail 56",
    "tail 57",
    "tail 58",
    "tail 59",
    "> write here",
    "status",
  ]);
  screen.setLive([
    part(
      Array.from({ length: 60 }, (_, index) => `tail ${index}`),
      "newest",
    ),
    composer,
  ]);
  await paint();
  expect(emulator.visible().slice(1, 4)).toEqual(["tail 0", "tail 1", "tail 2"]);
  screen.setLive([
    part(
      Array.from({ length: 30 }, (_, index) => `row ${index}`),
      "never",
      { row: 2, column: 0 },
    ),
  ]);
  await paint();
  expect(emulator.visible()[0]).toBe("kept");
  expect(emulator.visible()[1]).toBe("row 2");
  expect(emulator.cursor().row).toBe(2);
});

test("verbatim lines go to the terminal whole: it wraps them, and rewraps them", async () => {
  const { screen, emulator, paint } = open(20, 8);
  const code = "x".repeat(19) + "日本語".repeat(5) + "END";
  screen.setLive([part(["live row 1", "live row 2", "live row 3"]), composer]);
  await paint();
  screen.commit([
    { spans: [{ text: code, roles: ["code"] }], wrap: "verbatim" },
    { spans: [{ text: "y".repeat(40) }], wrap: "verbatim" },
  ]);
  screen.setLive([composer]);
  await paint();
  expect(
    emulator
      .lines()
      .map((line) => line.replaceAll("\u0000", ""))
      .filter((line) => line !== ""),
  ).toEqual([
    expect.stringMatching(new RegExp(`^${"x".repeat(19)} ?${"日本語".repeat(5)}END$`)),
    "y".repeat(40),
    "> write here",
    "status",
  ]);
  emulator.resize(60, 8);
  expect(emulator.rows()).toContain("y".repeat(40));
});

test("text that would move the cursor is written out, and links are the terminal's own", async () => {
  const { screen, emulator, paint } = open(60, 8);
  screen.commit([...toStyledLines("a\tb\u001b[2Jc\rd \u202e", { wrap: "words" })]);
  screen.commit([
    {
      spans: [
        { text: "docs\u001b[3J", link: "https://a.example/" },
        { text: " bad", link: "https://a\u001b\\" },
      ],
      wrap: "words",
    },
  ]);
  const bytes = await paint();
  expect(emulator.rows().slice(0, 3)).toEqual(["a   bc", "d \\u{202e}", "docs\\u{1b}[3J bad"]);
  expect(bytes).toContain("\u001b]8;;https://a.example/\u001b\\docs");
  expect(bytes.split("\u001b]8;;")).toHaveLength(3);
});

test("a long transcript goes out in several frames, each of them one update", async () => {
  const { screen, emulator, paint } = open(80, 10);
  screen.setLive([composer]);
  screen.commit(Array.from({ length: 4_500 }, (_, index) => prose(`line ${index} ${"x".repeat(60)}`)));
  let frames = 0;
  while (screen.isDirty()) {
    const bytes = await paint();
    expect(bytes.length).toBeLessThan(300 * 1024);
    expect(emulator.visible()).toContain("> write here");
    frames += 1;
  }
  expect(frames).toBeGreaterThan(1);
  expect(emulator.rows().filter((row) => row.startsWith("line "))).toHaveLength(4_500);
});

test("leaving clears the live region or ends its row, and the next frame begins below", async () => {
  const { screen, emulator, paint } = open(40, 10);
  screen.setLive([part(["working"]), composer]);
  await paint();
  screen.commit([prose("finished")]);
  await emulator.write(screen.leave("clear"));
  await emulator.write("$ vi\r\n");
  screen.setLive([composer]);
  await paint();
  expect(emulator.visible().slice(0, 5)).toEqual(["finished", "$ vi", "> write here", "status", ""]);
  await emulator.write(`${screen.leave("keep")}$ `);
  expect(emulator.visible().slice(0, 5)).toEqual(["finished", "$ vi", "> write here", "status", "$ "]);
  expect(screen.leave("keep")).toBe("");
});

test("another theme repaints the live region and leaves finished lines as they are", async () => {
  const { screen, paint } = open(40, 10);
  screen.commit([{ spans: [{ text: "old", roles: ["accent"] }], wrap: "words" }]);
  screen.setLive([{ rows: [[{ text: "live", roles: ["accent"] }]], yields: "never" }]);
  await paint();
  screen.setPainter(createPainter({ theme: darkTheme, colors: "none", hasLinks: false }));
  const bytes = await paint();
  expect(bytes).not.toContain("old");
  expect(bytes).toContain("live");
  expect(bytes).not.toContain("38;2");
});
