import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const fixture = fileURLToPath(new URL("fixture/full-disk.ts", import.meta.url));
const smallDisk = ["--size", "4096", "--tmpfs"];
const canMount = spawnSync("bwrap", ["--dev-bind", "/", "/", ...smallDisk, tmpdir(), "true"]).status === 0;

/** Where `state` is a disk of one page, and `full` as well. */
function openOnFullDisk(spare: readonly ("room" | "full")[]): string {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-full-"));
  const place = (name: string): string => join(folder.path, name);
  for (const name of ["state", "full", "room"]) mkdirSync(place(name));
  const mounts = ["--dev-bind", "/", "/", ...smallDisk, place("state"), ...smallDisk, place("full")];
  const folders = [place("state"), ...spare.map(place)];
  const program = [process.execPath, "-C", "@unroll/source", fixture, ...folders];
  const { stdout } = spawnSync("bwrap", [...mounts, ...program], { encoding: "utf8" });
  return stdout.replaceAll(folder.path, "").trim();
}

it.skipIf(!canMount)("keeps a launch's files in the spare folder while the disk of the state folder is full", () => {
  const report = '{ "child-pid": 1 }\n{ "exit-code": 0 }';
  expect(JSON.parse(openOnFullDisk(["room"]))).toEqual({ isSpare: [true, true], before: "", after: report });
});

it.skipIf(!canMount)("names the folders whose disks are full", () => {
  expect([openOnFullDisk([]), openOnFullDisk(["full"])]).toEqual([
    "Error: /state: no space left on the disk",
    "Error: /state: no space left on the disk; /full: no space left on the disk",
  ]);
});
