import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder } from "./fixture/processes.ts";

const program = join(import.meta.dirname, "fixture/leave-strangers.ts");
/** As in a container without an init. */
const asProcessOne = ["--dev-bind", "/", "/", "--unshare-user", "--unshare-pid", "--as-pid-1", "--proc", "/proc", "--"];
const canBeOne = existsSync("/usr/bin/perl") && spawnSync("bwrap", [...asProcessOne, "true"]).status === 0;

test.skipIf(!canBeOne).each(["by the starter", "in a terminal", "without a starter"])(
  "as process 1, processes that commands leave behind do not stay zombies: commands that start %s",
  async (way) => {
    const command = [process.execPath, "-C", "@unroll/source", program, way, "20", await createFolder()];
    const { stdout } = await promisify(execFile)("bwrap", [...asProcessOne, ...command]);
    expect(JSON.parse(stdout)).toEqual({ ended: 20, zombies: 0 });
  },
);
