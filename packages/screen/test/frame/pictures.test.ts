import { expect, test } from "vitest";
import {
  createPainter,
  createScreen,
  findPictureProtocol,
  type Picture,
  type PictureProtocol,
  type StyledLine,
} from "@unroll/screen";
import { darkTheme } from "../dark-theme.ts";
import { createEmulator } from "../emulator.ts";

const picture: Picture = { mediaType: "image/png", base64: "iVBO".repeat(2500), width: 300, height: 100 };

function prose(text: string): StyledLine {
  return { spans: [{ text }], wrap: "words" };
}

async function draw(pictures: PictureProtocol | null, shown: Partial<Picture> = {}, rows = 12) {
  const painter = createPainter({ theme: darkTheme, colors: "truecolor", hasLinks: true, pictures });
  const screen = createScreen({ columns: 40, rows, painter });
  const emulator = createEmulator(40, rows);
  let bytes = "";
  const paint = (): Promise<void> => {
    const frame = screen.frame();
    bytes += frame;
    return emulator.write(frame);
  };
  screen.setLive([{ rows: [[{ text: "> write here" }], [{ text: "status" }]], yields: "never" }]);
  screen.commit(["one", "two", "three", "four", "five", "six", "seven"].map(prose));
  await paint();
  screen.commit([
    prose("viewed a.png"),
    { spans: [], wrap: "words", picture: { ...picture, ...shown } },
    prose("behind"),
  ]);
  await paint();
  screen.commit([prose("later")]);
  await paint();
  return { bytes, rows: emulator.rows() };
}

test.each(["kitty", "iterm2"] as const)(
  "a picture of %s has rows of its own, and what scrolls stays right",
  async (protocol) => {
    const { rows } = await draw(protocol);
    const before = ["one", "two", "three", "four", "five", "six", "seven", "viewed a.png"];
    expect(rows).toEqual([...before, ...Array<string>(5).fill(""), "behind", "later", "> write here", "status"]);
  },
);

test("kitty gets a PNG in pieces that its protocol allows, and leaves the cursor", async () => {
  const { bytes } = await draw("kitty");
  const pieces = bytes
    .split("\u001b_G")
    .slice(1)
    .map((piece) => piece.split("\u001b\\")[0]?.split(";"));
  expect(pieces.map((piece) => piece?.[0])).toEqual(["a=T,f=100,C=1,q=2,r=5,m=1", "q=2,m=1", "q=2,m=0"]);
  expect(pieces.map((piece) => piece?.[1]).join("")).toBe(picture.base64);
});

test("iTerm2 gets a picture of any kind in one sequence, no higher than its rows", async () => {
  const { bytes } = await draw("iterm2", { mediaType: "image/jpeg" });
  expect(bytes).toContain(`\u001b]1337;File=inline=1;size=7500;height=5;preserveAspectRatio=1:${picture.base64}\u0007`);
});

test("a picture takes at most half of the screen, whatever its size", async () => {
  expect((await draw("kitty", { height: 90_000 })).bytes).toContain("r=6,");
  expect((await draw("kitty", { width: 3900, height: 2000 })).bytes).toContain("r=6,");
  expect((await draw("kitty", { width: 3900, height: 100 })).bytes).toContain("r=1,");
});

test.each([
  ["a terminal that shows none", null, {}],
  ["another kind than PNG in kitty", "kitty", { mediaType: "image/jpeg" }],
  ["one that would take too long", "iterm2", { base64: "A".repeat(1_000_004) }],
  ["one with what could end the sequence", "iterm2", { base64: "AAAA\u0007" }],
] as const)("%s takes no row and writes nothing", async (_, protocol, shown) => {
  const { bytes, rows } = await draw(protocol, shown);
  expect(rows.slice(-5)).toEqual(["viewed a.png", "behind", "later", "> write here", "status"]);
  expect([bytes.includes("\u001b_G"), bytes.includes("\u001b]1337")]).toEqual([false, false]);
});

test("a terminal's own name tells how it takes pictures, and its environment where it has none", () => {
  const found = (version: string | null, env: Readonly<Record<string, string>> = {}) =>
    findPictureProtocol(env, version);
  expect([found("kitty(0.36.4)"), found("ghostty 1.2"), found("iTerm2 3.5.4"), found("WezTerm 2024")]).toEqual([
    "ask",
    "ask",
    "iterm2",
    "iterm2",
  ]);
  expect([found("XTerm(390)", { KITTY_WINDOW_ID: "1" }), found("tmux 3.3a"), found(null)]).toEqual([null, null, null]);
  expect([found(null, { KITTY_WINDOW_ID: "1" }), found(null, { TERM_PROGRAM: "iTerm.app" })]).toEqual([
    "ask",
    "iterm2",
  ]);
  expect(found("kitty(0.36.4)", { TMUX: "/tmp/tmux,1,0" })).toBe(null);
});
