import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStoreWorld } from "./store-world.ts";

/** fcntl(2) */
const systemCalls: Readonly<Partial<Record<NodeJS.Architecture, number>>> = { x64: 72, arm64: 25 };
const enolck = 37;

/** A seccomp filter (seccomp(2), classic BPF): the kernel refuses each lock with ENOLCK, as on an NFS server without a lock daemon. */
function refuseLocks(call: number): Buffer {
  const [load, equal, done] = [0x20, 0x15, 0x06];
  const [setLock, waitForLock, allow, fail] = [6, 7, 0x7fff0000, 0x00050000];
  const steps: readonly (readonly [code: number, yes: number, no: number, value: number])[] = [
    [load, 0, 0, 0], // the number of the system call
    [equal, 0, 4, call],
    [load, 0, 0, 24], // its second argument
    [equal, 1, 0, setLock],
    [equal, 0, 1, waitForLock],
    [done, 0, 0, fail | enolck],
    [done, 0, 0, allow],
  ];
  const bytes = Buffer.alloc(steps.length * 8);
  steps.forEach(([code, yes, no, value], index) => {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(yes, at + 2);
    bytes.writeUInt8(no, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  });
  return bytes;
}

const run = 'exec bwrap --dev-bind / / --seccomp 10 "$@" 10<"$FILTER"';
const call = systemCalls[process.arch];
const canRun = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"]).status === 0;

test.skipIf(call === undefined || !canRun).each([
  { needs: "", thrown: null },
  { needs: "locks", thrown: "no_locks" },
  { needs: "check", thrown: "no_locks" },
])(
  "without locks a thread is resumed with a warning; if locks are needed, it is refused, and its folder before ($needs)",
  async (each) => {
    await using world = await openStoreWorld();
    const filter = join(world.codexHome, "filter");
    writeFileSync(filter, refuseLocks(call ?? 0));
    const script = ["--conditions=@unroll/source", join(import.meta.dirname, "fixture/resume-thread.ts")];
    const args = ["-c", run, "bash", process.execPath, ...script, world.codexHome, each.needs];
    const output = execFileSync("bash", args, { env: { ...process.env, FILTER: filter }, encoding: "utf8" });
    const [file = ""] = world.files().filter((name) => name.endsWith(".jsonl"));
    const folder = each.needs === "check" ? join(world.codexHome, "sessions") : join(file, "..");
    const fault = `The file system of ${folder} has no locks, so nothing keeps other processes from resuming this thread.`;
    expect(JSON.parse(output)).toEqual(
      each.thrown === null
        ? [`${fault} Open it in one process at a time.`]
        : { code: each.thrown, message: `${fault} Keep threads on another disk (CODEX_HOME).` },
    );
    expect(readdirSync(folder).filter((name) => !name.endsWith(".jsonl"))).toEqual([]);
  },
);
