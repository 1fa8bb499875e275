import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLineWriter, findHomeFault, flushOutput } from "@unroll/program";
import { createFakeIo } from "./fixture/fake-io.ts";

const never = new AbortController().signal;

function slowOutput(): { stream: PassThrough; isTerminal: boolean; size: () => null } {
  return { stream: new PassThrough({ highWaterMark: 1, encoding: "utf8" }), isTerminal: false, size: () => null };
}

test("a flush waits until a slow reader has taken all, however much it is", async () => {
  const stdout = slowOutput();
  const io = createFakeIo({ stdout });
  for (let at = 0; at < 1000; at += 1) stdout.stream.write(`${at}\n`);
  let text = "";
  stdout.stream.on("data", (piece: string) => (text += piece));
  await flushOutput(io, never);
  expect(text.split("\n")).toHaveLength(1001);
});

test("a flush ends with a reader that went away, and with its limit", async () => {
  const gone = slowOutput();
  gone.stream.on("error", () => {}).destroy(new Error("EPIPE"));
  await flushOutput(createFakeIo({ stdout: gone }), never);
  const stuck = slowOutput();
  stuck.stream.write("never read");
  await flushOutput(createFakeIo({ stdout: stuck }), AbortSignal.abort());
  expect(stuck.stream.readableLength + stuck.stream.writableLength).toBeGreaterThan(0);
});

test("a writer waits for a slow reader, and not for one that is gone", async () => {
  const { stream } = slowOutput();
  const broken: string[] = [];
  const writer = createLineWriter(stream, { stopped: never, onBroken: ({ message }) => broken.push(message) });
  const written = writer.write("a line\n").then(() => "written");
  expect(await Promise.race([written, Promise.resolve("waits")])).toBe("waits");
  stream.resume();
  expect(await written).toBe("written");
  stream.destroy(new Error("EPIPE"));
  await writer.write("more");
  await writer.flush();
  expect(broken).toEqual(["EPIPE"]);
});

test("a place in /proc is named, and only that", () => {
  const find = (env: Readonly<Record<string, string>>, platform = "linux"): string | null =>
    findHomeFault({ env, cwd: "/", platform });
  expect(find({ HOME: "/proc" })).toBe("HOME is /proc, which cannot hold files: set it to a folder of yours.");
  expect(find({ HOME: "/home/ada", XDG_STATE_HOME: "//proc/self" })).toMatch(/^XDG_STATE_HOME is /);
  expect([find({ HOME: "/process" }), find({}), find({ HOME: "proc" }), find({ HOME: "/proc" }, "darwin")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("a CODEX_HOME that does not exist, or whose path cannot be read, is refused", () => {
  const find = (env: Readonly<Record<string, string>>): string | null =>
    findHomeFault({ env, cwd: "/tmp", platform: "linux" });
  const name = `unroll-missing-${randomUUID()}`;
  expect(find({ HOME: "/tmp", CODEX_HOME: name })).toBe(
    `CODEX_HOME is ${name}, which does not exist: correct it, or create the folder (mkdir -p /tmp/${name}).`,
  );
  expect([find({ HOME: "/tmp", CODEX_HOME: "." }), find({ HOME: `/tmp/${name}` })]).toEqual([null, null]);
  const unreadable = Buffer.from([0x2f, 0xff]).toString(); // as Node.js reads a variable
  expect(find({ HOME: unreadable })).toBe(
    `HOME is ${unreadable}, which is not valid UTF-8: use a folder whose path is.`,
  );
});

test("a home that is a file is named as one, and no change of rights is advised", () => {
  const base = mkdtempSync(join(tmpdir(), "unroll-file-"));
  const find = (env: Readonly<Record<string, string>>): string | null =>
    findHomeFault({ env, cwd: "/", platform: "linux" });
  try {
    const file = join(base, "file");
    writeFileSync(file, "");
    const fault = (name: string, value: string): string =>
      `${name} is ${value}, but ${file} is not a folder: set ${name} to a folder of yours, or remove the file.`;
    expect(find({ HOME: base, CODEX_HOME: file })).toBe(fault("CODEX_HOME", file));
    expect(find({ HOME: join(file, "below") })).toBe(fault("HOME", join(file, "below")));
    expect(find({ HOME: base, CODEX_HOME: base })).toBeNull();
  } finally {
    rmSync(base, { recursive: true });
  }
});

test.skipIf(userInfo().uid === 0)("a home that may not be entered is named, with the folder that is closed", () => {
  const base = mkdtempSync(join(tmpdir(), "unroll-closed-"));
  const find = (env: Readonly<Record<string, string>>): string | null =>
    findHomeFault({ env, cwd: "/", platform: "linux" });
  try {
    mkdirSync(join(base, "closed", "home"), { recursive: true });
    chmodSync(join(base, "closed"), 0);
    const home = join(base, "closed", "home");
    expect(find({ HOME: home })).toBe(
      `HOME is ${home}, but you have no access to ${join(base, "closed")}: allow it (chmod u+x), or set HOME to a folder of yours.`,
    );
    expect(find({ HOME: base, CODEX_HOME: home })).toMatch(/^CODEX_HOME is /);
    expect(find({ HOME: home, CODEX_HOME: base })).toBeNull();
  } finally {
    chmodSync(join(base, "closed"), 0o700);
    rmSync(base, { recursive: true });
  }
});
