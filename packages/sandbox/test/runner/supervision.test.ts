import { execFile } from "node:child_process";
import { chmodSync, mkdtempDisposableSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { probed } from "../fixture/probed-sandbox.ts";
import { whyNoSandbox } from "../fixture/sandbox.ts";

const conformance = fileURLToPath(new URL("../../../../conformance/sandbox", import.meta.url));
const ways = ["mem", "task-mem", "ptrace", "process-vm", "limits", "scheduling"];

/** Whether every user may come to a file. */
function isOpen(path: string): boolean {
  const folder = dirname(path);
  return folder === path || ((statSync(folder).mode & 1) === 1 && isOpen(folder));
}

const forms = [
  ["closed", false, true],
  ["open", true, true],
  ["closed, and with the /proc around it", false, false],
  ["open, and with the /proc around it", true, false],
] as const;
const hasOwnProcHere = probed.type === "bubblewrap" && probed.hasOwnProc;

// As the user who runs the tests: the cases proc-init-* of conformance/sandbox/cases.json.
it
  .skipIf(whyNoSandbox !== null || userInfo().uid !== 0 || ![process.execPath, conformance].every(isOpen))
  .each(forms.filter(([, , hasOwnProc]) => hasOwnProcHere || !hasOwnProc))(
  "a command of an ordinary user does not reach process 1 of its sandbox, with the network %s (needs root, to become that user)",
  async (_, network, hasOwnProc) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-supervision-"));
    chmodSync(folder.path, 0o777);
    const place = { cwd: folder.path, writableRoots: [], tmpdir: folder.path };
    const backend = { ...probed, isRoot: false, withUserNamespace: true, withoutUserNamespace: false, hasOwnProc };
    const setting = { policy: "workspace-write", network, ...place, backend };
    const script = `for way in ${ways.join(" ")}; do perl ${conformance}/reach-init.pl $way; echo $way $?; done 2>/dev/null`;
    const program = ["-C", "@unroll/source", join(conformance, "confine.mjs"), JSON.stringify(setting), "--", "bash"];
    const { stdout } = await promisify(execFile)(process.execPath, [...program, "-c", script], {
      uid: 54_321,
      gid: 54_321,
      cwd: folder.path,
      env: { PATH: process.env["PATH"], HOME: folder.path },
    });
    expect(stdout).toMatch(new RegExp(`^${ways.map((way) => `${way} [1-9]\\d*\n`).join("")}$`));
  },
);
