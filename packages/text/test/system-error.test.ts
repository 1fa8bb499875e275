import { readFile } from "node:fs/promises";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { expect, test } from "vitest";

function describe(error: unknown): readonly [string | null, string] {
  return [systemErrorCode(error), describeSystemError(error)];
}

test("what the system refuses has a code, and a few words for it", async () => {
  const path = `${import.meta.dirname}/none`;
  expect(describe(await readFile(path).catch((error: unknown) => error))).toEqual(["ENOENT", "it does not exist"]);
  expect(describe(await readFile(import.meta.dirname).catch((error: unknown) => error))).toEqual([
    "EISDIR",
    "it is a folder",
  ]);
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(describe(full)).toEqual(["ENOSPC", "no space left on the disk"]);
});

test("bytes that are not text have a reason too", () => {
  const decode = (): string => new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0xff));
  expect(decode).toThrow(expect.toSatisfy((error: unknown) => describeSystemError(error) === "it is not UTF-8 text"));
});

test("a code that we have no words for stands for itself; any other error has its message and no code", () => {
  expect(describe(Object.assign(new Error("odd"), { code: "EXDEV" }))).toEqual(["EXDEV", "EXDEV"]);
  expect(describe(Object.assign(new Error("wrong key"), { code: "invalid_rules" }))).toEqual([null, "wrong key"]);
  expect(describe(Object.assign(new Error("odd"), { code: 404 }))).toEqual([null, "odd"]);
  expect(describe("thrown text")).toEqual([null, "thrown text"]);
});
