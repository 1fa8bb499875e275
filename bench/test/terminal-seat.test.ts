import { execPath } from "node:process";
import { expect, test } from "vitest";
import { openTerminalSeat } from "../src/terminal-seat.ts";

/**
 * Asks where its cursor is once in two writes and once in one with a frame behind it, as a program does that gave up waiting. The answer
 * to another question shows that the first write was read.
 */
const program = `
  process.stdin.setRawMode(true);
  process.stdin.on("data", (answer) =>
    process.stdout.write(String(answer).endsWith("c") ? "n ready" : "<" + String(answer).slice(1) + ">"));
  process.stdout.on("resize", () => process.stdout.write("\\u001b[6n frame \\u001b[?2026l"));
  process.stdout.write("\\u001b[c\\u001b[6");
`;

test("a frame that comes in one read with the question before it is seen, and a question in two reads is answered", async () => {
  using seat = openTerminalSeat({ argv: [execPath, "-e", program], cwd: "/", env: {} });
  await seat.shows("<[40;1R>");
  expect(await seat.resize(80, 30)).toBeGreaterThan(0);
  await seat.shows("<[30;1R>");
});

/** Draws only when the terminal has answered what it is, which colours it has and where the cursor is, each in its own form. */
const asker = `
  process.stdin.setRawMode(true);
  let answers = "";
  process.stdin.on("data", (answer) => {
    answers += String(answer);
    if (["[?62;22c", "]11;rgb:0000", "[40;1R"].every((each) => answers.includes(each)))
      process.stdout.write("warning\\u001b[?2004h\\u001b]0;title\\u0007\\u001b[1;1H\\u001b[Kcomposer");
  });
  process.stdout.write("\\u001b[c\\u001b]11;?\\u001b\\\\\\u001b[6n");
`;

test("a program gets an answer to each question, and its first frame is the first text behind its modes", async () => {
  using seat = openTerminalSeat({ argv: [execPath, "-e", asker], cwd: "/", env: {} });
  expect(await seat.showsFrame()).toBeGreaterThan(0);
});
