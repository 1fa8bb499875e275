import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { spawnChild, type ChildStart } from "@unroll/process-tree";
import { expect, it } from "vitest";
import { launchOf } from "./fixture/parent.ts";
import { createFolder } from "./fixture/processes.ts";

const script = fileURLToPath(import.meta.resolve("./fixture/start-as-nobody.ts"));

function start(file: string, path: string): Promise<ChildStart> {
  return spawnChild(launchOf(file, [], { environment: { PATH: path } }), "output", []);
}

it("a program that is on no folder of PATH is missing", async () => {
  expect(await start("no-such-program", await createFolder())).toEqual({
    type: "failed",
    reason: "program_missing",
    message: "There is no program no-such-program, or its interpreter is missing.",
  });
});

it("a program is missing, not closed, where PATH has something of its name that is not a program", async () => {
  const folder = await createFolder();
  await mkdir(join(folder, "no-such-program"));
  expect(await start("no-such-program", folder)).toEqual({
    type: "failed",
    reason: "program_missing",
    message: "There is no program no-such-program, or its interpreter is missing.",
  });
});

it("a program is missing, not closed, where PATH has a folder that the user may not read", async () => {
  const folder = await createFolder();
  const closed = join(folder, "closed");
  await chmod(folder, 0o755);
  await mkdir(closed, 0o000);
  const { stdout } = await promisify(execFile)(process.execPath, [
    "-C",
    "@unroll/source",
    script,
    `${closed}:/usr/bin`,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    type: "failed",
    reason: "program_missing",
    message: "There is no program no-such-program, or its interpreter is missing.",
  });
});

it("a program that is there and may not be executed is said to be so", async () => {
  const folder = await createFolder();
  await writeFile(join(folder, "closed-program"), "", { mode: 0o644 });
  const failure = { type: "failed", reason: "not_executable" };
  expect(await start("closed-program", folder)).toMatchObject(failure);
  expect(await start(join(folder, "closed-program"), folder)).toMatchObject(failure);
});

it("a working folder that is missing is named before anything else", async () => {
  expect(await spawnChild(launchOf("no-such-program", [], { cwd: "/proc/no/such/folder" }), "output", [])).toEqual({
    type: "failed",
    reason: "folder_missing",
    message: "The working folder /proc/no/such/folder does not exist.",
  });
});
