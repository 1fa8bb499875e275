import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { link, mkdtempDisposable, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commitPlan, parsePatch, planPatch } from "@unroll/apply-patch";
import { createNodePatchFiles } from "@unroll/apply-patch/node";
import { expect, test } from "vitest";
import { wholePatch } from "../apply-text.ts";

const { signal } = new AbortController();

interface Owner {
  readonly pid: number;
  readonly start: string;
}

function readOwner(pid: number): Owner {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return { pid, start: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "" };
}

test.skipIf(process.platform !== "linux")(
  "what a killed process left in a folder is removed by its next patch",
  async () => {
    await using folder = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-left-"));
    const at = (name: string): string => join(folder.path, name);
    const realm = createHash("sha256")
      .update(`${readFileSync("/proc/sys/kernel/random/boot_id", "utf8")}${readlinkSync("/proc/self/ns/pid")}`)
      .digest("hex")
      .slice(0, 8);
    const child = spawn("sleep", ["100"]);
    const killed = readOwner(child.pid ?? 0);
    child.kill("SIGKILL");
    await once(child, "exit");
    const parent = readOwner(process.ppid);
    const nameOf = ({ pid, start }: Owner, rest: string): string => `.unroll-patch-${realm}-${pid}-${start}-${rest}`;
    await writeFile(at("a"), "a\n");
    await writeFile(at(nameOf(killed, "0")), "staged");
    await link(at("a"), at(nameOf(killed, "1.old")));
    await writeFile(at(nameOf(killed, "2.old")), "");
    await writeFile(at(nameOf({ ...parent, start: "1" }, "0")), "of an earlier process with this id");
    const kept = [
      nameOf(killed, "3.old"), // may be the only copy of a file
      nameOf(parent, "0"),
      nameOf(killed, "0").replace(realm, "00000000"), // of another machine, container or boot
      ".unroll-patch-0",
    ];
    for (const name of kept) await writeFile(at(name), "kept");
    const files = createNodePatchFiles({ listRoots: () => [] });
    const parsed = parsePatch(wholePatch("*** Update File: a", "@@", "-a", "+b"));
    if (parsed.type === "patch.failed") throw new Error("The patch cannot be parsed.");
    const options = { cwd: folder.path, isWritable: () => true, isReadable: () => true, signal };
    const plan = await planPatch(parsed.patch, files, options);
    if (plan.type === "patch.failed") throw new Error("The patch cannot be planned.");
    expect(await commitPlan(plan, files, signal)).toMatchObject({ type: "patch.applied" });
    expect(await readFile(at("a"), "utf8")).toBe("b\n");
    expect((await readdir(folder.path)).toSorted()).toEqual([...kept, "a"].toSorted());
  },
);
