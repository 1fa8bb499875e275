import { expect, it } from "vitest";
import { toBubblewrapArguments, type BubblewrapOptions } from "../../../src/plan/linux/bubblewrap-arguments.ts";

const plainOptions: BubblewrapOptions = {
  rules: [],
  runtimeFolders: [],
  networkAccess: false,
  cwd: "/w",
  environment: { A: "1" },
  userNamespace: true,
  hasOwnProc: true,
  capabilities: [],
  hasTerminal: false,
  seccompFd: 4,
  copiesFd: 5,
  statusFd: 8,
};

it("a command's whole sandbox is one list of options", () => {
  expect(toBubblewrapArguments(plainOptions).join(" ")).toBe(
    "--die-with-parent --new-session --unshare-user --unshare-pid --unshare-ipc --unshare-cgroup-try --unshare-net " +
      "--ro-bind / / --dev /dev --proc /proc --remount-ro /proc --cap-drop ALL --seccomp 4 --json-status-fd 8 --clearenv --setenv A 1 --chdir /w",
  );
});

function listMounts(options: Partial<BubblewrapOptions>): string {
  const all = toBubblewrapArguments({ ...plainOptions, ...options }).join(" ");
  const mounts = all.slice(all.indexOf("--ro-bind / /") + "--ro-bind / / ".length, all.indexOf(" --cap-drop"));
  return mounts.replace(/ ?--dev \/dev --proc \/proc --remount-ro \/proc/, "");
}

it("each kind of rule is a mount, and what is hidden closes when all are there", () => {
  const rules = [
    { type: "writable", path: "/w" },
    { type: "read-only", path: "/w/.git/config" },
    { type: "absent", path: "/w/.codex" },
    { type: "hidden-file", path: "/h/auth" },
    { type: "hidden-folder", path: "/s" },
    { type: "hidden-folder", path: "/u" },
    { type: "writable", path: "/u/w" },
  ] as const;
  expect(listMounts({ rules })).toBe(
    "--bind /w /w --ro-bind /w/.git/config /w/.git/config --ro-bind /dev/null /h/auth " +
      "--perms 000 --tmpfs /s --perms 111 --tmpfs /u --bind /u/w /u/w --remount-ro /s --remount-ro /u " +
      "--perms 555 --tmpfs /w/.codex",
  );
});

it("a veiled folder holds copies, links and closed folders; what else it shows is mounted", () => {
  const rules = [
    { type: "veiled-folder", path: "/h" },
    { type: "shown-copy", path: "/h/a", bytes: new Uint8Array(), mode: 0o444 },
    { type: "hidden-file", path: "/h/auth" },
    { type: "shown-copy", path: "/h/b", bytes: new Uint8Array(), mode: 0o55 },
    { type: "shown", path: "/h/skills" },
    { type: "shown-link", path: "/h/to", target: "../x" },
    { type: "hidden-folder", path: "/h/tokens" },
    { type: "hidden-file", path: "/h/skills/key" },
    { type: "hidden-folder", path: "/h/tokens/more" },
  ] as const;
  expect(listMounts({ rules })).toBe(
    "--perms 555 --tmpfs /h --perms 444 --file 5 /h/a --perms 000 --dir /h/auth --perms 055 --file 6 /h/b " +
      "--ro-bind-try /h/skills /h/skills --symlink ../x /h/to --perms 111 --dir /h/tokens " +
      "--ro-bind /dev/null /h/skills/key --perms 000 --dir /h/tokens/more",
  );
});

it("folders on the way to what is hidden deep in a veil are read-only", () => {
  const rules = [
    { type: "veiled-folder", path: "/h" },
    { type: "hidden-folder", path: "/h/b" },
    { type: "hidden-file", path: "/h/b/a/text" },
  ] as const;
  expect(listMounts({ rules })).toBe(
    "--perms 555 --tmpfs /h --perms 111 --dir /h/b --perms 000 --dir /h/b/a/text --remount-ro /h",
  );
});

it("who may pass over modes finds new folders read-only", () => {
  const rules = [
    { type: "absent", path: "/a" },
    { type: "veiled-folder", path: "/h" },
  ] as const;
  expect(listMounts({ rules, capabilities: ["CAP_DAC_OVERRIDE"] })).toBe(
    "--perms 555 --tmpfs /h --remount-ro /h --perms 555 --tmpfs /a --remount-ro /a",
  );
});

it("folders in which programs meet are hidden, except for what is needed and what may be written", () => {
  const rules = [{ type: "writable", path: "/run/media/w" }] as const;
  const runtimeFolders = [{ path: "/run", visible: ["/run/current-system"] }];
  const all = toBubblewrapArguments({ ...plainOptions, rules, runtimeFolders }).join(" ");
  expect(all.slice(all.indexOf("--tmpfs"), all.indexOf(" --cap-drop"))).toBe(
    "--tmpfs /run --ro-bind-try /run/current-system /run/current-system --bind /run/media/w /run/media/w",
  );
});

it("where everything may be written, devices and processes are still the sandbox's own", () => {
  const all = toBubblewrapArguments({ ...plainOptions, rules: [{ type: "writable", path: "/" }] });
  expect(all.join(" ")).toContain("--bind / / --dev /dev --proc /proc --remount-ro /proc");
  expect(all.filter((word) => word === "--bind")).toHaveLength(1);
});

it("capabilities, networks and terminals each change one thing", () => {
  const without = new Set(toBubblewrapArguments(plainOptions));
  const options = {
    userNamespace: false,
    networkAccess: true,
    hasTerminal: true,
    capabilities: ["CAP_CHOWN"],
  };
  const changed = toBubblewrapArguments({ ...plainOptions, ...options });
  expect(changed.filter((word) => !without.has(word))).toEqual(["--cap-add", "CAP_CHOWN"]);
  expect([...without].filter((word) => !changed.includes(word))).toEqual([
    "--new-session",
    "--unshare-user",
    "--unshare-net",
  ]);
});
