import { expect, it } from "vitest";
import { toBubblewrapArguments, type BubblewrapOptions } from "../../../src/plan/linux/bubblewrap-arguments.ts";

const plainOptions: BubblewrapOptions = {
  rules: [],
  runtimeFolders: [],
  networkAccess: false,
  cwd: "/w",
  environment: { A: "1" },
  isRoot: false,
  userNamespace: true,
  capabilities: [],
  hasTerminal: false,
  seccompFd: 4,
  statusFd: 5,
};

it("a command is told its walls in one list of options", () => {
  expect(toBubblewrapArguments(plainOptions).join(" ")).toBe(
    "--die-with-parent --new-session --ro-bind / / --dev /dev --unshare-user --unshare-pid --unshare-ipc " +
      "--unshare-cgroup-try --unshare-net --proc /proc --cap-drop ALL --seccomp 4 --json-status-fd 5 --clearenv --setenv A 1 --chdir /w",
  );
});

it("each kind of rule is a mount, and tmpfs close when all are there", () => {
  const rules = [
    { type: "writable", path: "/w" },
    { type: "read-only", path: "/w/.git/config" },
    { type: "absent", path: "/w/.codex" },
    { type: "hidden-file", path: "/h/auth" },
    { type: "hidden-folder", path: "/s" },
    { type: "hidden-folder", path: "/u" },
    { type: "writable", path: "/u/w" },
  ] as const;
  const all = toBubblewrapArguments({ ...plainOptions, rules }).join(" ");
  expect(all.slice(all.indexOf("--bind"), all.indexOf(" --cap-drop"))).toBe(
    "--bind /w /w --ro-bind /w/.git/config /w/.git/config --perms 555 --tmpfs /w/.codex --ro-bind /dev/null /h/auth " +
      "--perms 000 --tmpfs /s --perms 111 --tmpfs /u --bind /u/w /u/w --remount-ro /w/.codex --remount-ro /s --remount-ro /u",
  );
});

it("where programs meet is hidden, but for what is needed and what may be written", () => {
  const rules = [{ type: "writable", path: "/run/media/w" }] as const;
  const runtimeFolders = [{ path: "/run", visible: ["/run/current-system"] }];
  const all = toBubblewrapArguments({ ...plainOptions, rules, runtimeFolders }).join(" ");
  expect(all.slice(all.indexOf("--tmpfs"), all.indexOf(" --cap-drop"))).toBe(
    "--tmpfs /run --ro-bind-try /run/current-system /run/current-system --bind /run/media/w /run/media/w",
  );
});

it("where everything may be written, devices and processes are still the sandbox's own", () => {
  const all = toBubblewrapArguments({ ...plainOptions, rules: [{ type: "writable", path: "/" }] });
  expect(all.slice(2, 7)).toEqual(["--bind", "/", "/", "--dev", "/dev"]);
  expect(all.filter((word) => word === "--bind")).toHaveLength(1);
});

it("root, networks and terminals each change one thing", () => {
  const without = new Set(toBubblewrapArguments(plainOptions));
  const options = {
    isRoot: true,
    userNamespace: false,
    networkAccess: true,
    hasTerminal: true,
    capabilities: ["CAP_CHOWN"],
  };
  const changed = toBubblewrapArguments({ ...plainOptions, ...options });
  expect(changed.filter((word) => !without.has(word))).toEqual(["--remount-ro", "--cap-add", "CAP_CHOWN"]);
  expect([...without].filter((word) => !changed.includes(word))).toEqual([
    "--new-session",
    "--unshare-user",
    "--unshare-net",
  ]);
});
