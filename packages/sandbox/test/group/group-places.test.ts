import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findGroupPlace } from "../../src/group/find-group-place.ts";
import { readGroupLimits } from "../../src/group/read-group-limits.ts";
import { type Controller, readHierarchies } from "../../src/group/read-hierarchies.ts";
import { createCommandGroup } from "../../src/runner/command-group.ts";
import { withMachine } from "../fixture/groups.ts";

const second = { "proc/self/mountinfo": "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n" };
const first = {
  "proc/self/mountinfo":
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n" +
    "39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n" +
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n",
};

describe("the limits of control groups", () => {
  const read = (files: Readonly<Record<string, string>>) => withMachine(files, readGroupLimits);

  it("are the smallest on the way up", () => {
    expect(
      read({
        ...second,
        "proc/self/cgroup": "0::/user.slice/run.scope\n",
        "sys/fs/cgroup/user.slice/run.scope/memory.max": "max\n",
        "sys/fs/cgroup/user.slice/run.scope/pids.max": "500\n",
        "sys/fs/cgroup/user.slice/memory.max": "1073741824\n",
        "sys/fs/cgroup/user.slice/pids.max": "4000\n",
      }),
    ).toEqual({ memoryBytes: 2 ** 30, processes: 500 });
  });

  it("are read where each controller has its own tree", () => {
    expect(
      read({
        ...first,
        "proc/self/cgroup": "8:pids:/\n4:memory:/a/b\n1:name=systemd:/\n0::/\n",
        "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
        "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4096\n",
        "sys/fs/cgroup/pids/pids.max": "max\n",
      }),
    ).toEqual({ memoryBytes: 4096, processes: null });
  });

  it("are read in a container that has the path on the machine told, and sees its own part", () => {
    expect(
      read({
        "proc/self/cgroup": "4:memory:/docker/f00\n",
        "proc/self/mountinfo": "35 31 0:32 /docker/f00 /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory\n",
        "sys/fs/cgroup/memory/memory.limit_in_bytes": "4096\n",
      }),
    ).toEqual({ memoryBytes: 4096, processes: null });
  });

  it("are unknown where there are none to be seen", () => {
    expect(read({ "proc/self/mounts": "" })).toEqual({ memoryBytes: null, processes: null });
  });
});

describe("the group around unroll", () => {
  const tree = { ...second, "proc/self/cgroup": "0::/box\n", "sys/fs/cgroup/box/memory.max": "268435456\n" };
  const firstTree = { ...first, "proc/self/cgroup": "4:memory:/box\n" };

  it.each([
    ["version 2", tree, "sys/fs/cgroup/box/memory.events", "low 0\nmax 9\noom 1\noom_kill "],
    [
      "version 1",
      { ...firstTree, "sys/fs/cgroup/memory/box/memory.limit_in_bytes": "268435456\n" },
      "sys/fs/cgroup/memory/box/memory.oom_control",
      "oom_kill_disable 0\nunder_oom 0\noom_kill ",
    ],
  ])("names its limit when the system ends a process in it: %s", (...[, files, events, words]) => {
    withMachine({ ...files, [events]: `${words}3\n` }, (root) => {
      const group = createCommandGroup({ mode: "danger-full-access" }, "enclosing", root);
      const [quiet, killed] = [group.watch(), group.watch()];
      expect(quiet()).toEqual([]);
      writeFileSync(join(root, events), `${words}4\n`);
      expect(killed()).toEqual([
        "memory ran out, so the system ended a process, perhaps of this command: the container or service in which unroll runs may have 256 MiB, with unroll and everything beside it. Do it in smaller parts, or have that limit raised.",
      ]);
      expect(group.watch()()).toEqual([]);
      void group.close();
    });
  });

  it("says nothing where it has no limit", () => {
    const events = "sys/fs/cgroup/box/memory.events";
    withMachine({ ...tree, "sys/fs/cgroup/box/memory.max": "max\n", [events]: "oom_kill 0\n" }, (root) => {
      const ended = createCommandGroup({ mode: "danger-full-access" }, "enclosing", root).watch();
      writeFileSync(join(root, events), "oom_kill 1\n");
      expect(ended()).toEqual([]);
    });
  });
});

describe("the control group of commands", () => {
  const wanted: readonly Controller[] = ["memory", "pids"];
  const find = (files: Readonly<Record<string, string>>) =>
    withMachine(files, (root) => {
      const found = readHierarchies(root).map((each) => findGroupPlace(each, wanted));
      return JSON.parse(JSON.stringify(found).replaceAll(root, "")) as unknown;
    });
  /** A terminal of a desktop: what systemd gives the user to divide. */
  const desktop = {
    ...second,
    "proc/self/cgroup": "0::/user/app.slice/term.scope\n",
    "sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n",
    "sys/fs/cgroup/user/app.slice/cgroup.subtree_control": "cpu memory pids\n",
    "sys/fs/cgroup/user/app.slice/cgroup.procs": "",
    "sys/fs/cgroup/user/app.slice/term.scope/cgroup.subtree_control": "\n",
    "sys/fs/cgroup/user/app.slice/term.scope/cgroup.procs": "1\n",
    "sys/fs/cgroup/user/app.slice/term.scope/memory.max": "max\n",
    "sys/fs/cgroup/user/app.slice/term.scope/cpu.max": "max 100000\n",
    "sys/fs/cgroup/user/app.slice/term.scope/pids.max": "900\n",
  };
  const own = "/sys/fs/cgroup/user/app.slice/term.scope";

  it("lies beside that of the harness, which holds processes, and takes its number of processes along", () => {
    const parent = "/sys/fs/cgroup/user/app.slice";
    expect(find(desktop)).toEqual([{ version: 2, parent, controllers: wanted, own, leftProcesses: 900 }]);
  });

  it("is not made where commands would leave a limit that somebody has set around the harness", () => {
    const limited = { ...desktop, [`${own.slice(1)}/memory.max`]: "1073741824\n" };
    expect(find(limited)).toEqual([
      { obstacle: `commands would leave a limit that is set around this program (${own}/memory.max)` },
    ]);
  });

  it("is not made where no folder gives limits to its groups", () => {
    const bare = { ...desktop, "sys/fs/cgroup/user/app.slice/cgroup.subtree_control": "cpu\n" };
    expect(find(bare)).toEqual([
      { obstacle: `neither ${own} nor a folder around it may be given a group with limits` },
    ]);
  });

  it("lies in the harness's own where each controller has its own tree", () => {
    expect(
      find({
        ...first,
        "proc/self/cgroup": "8:pids:/\n4:memory:/a\n1:name=systemd:/\n0::/\n",
        "sys/fs/cgroup/memory/a/cgroup.procs": "",
        "sys/fs/cgroup/pids/cgroup.procs": "",
        "sys/fs/cgroup/unified/cgroup.controllers": "hugetlb\n",
      }),
    ).toEqual([
      {
        version: 1,
        parent: "/sys/fs/cgroup/pids",
        controllers: ["pids"],
        own: "/sys/fs/cgroup/pids",
        leftProcesses: null,
      },
      {
        version: 1,
        parent: "/sys/fs/cgroup/memory/a",
        controllers: ["memory"],
        own: "/sys/fs/cgroup/memory/a",
        leftProcesses: null,
      },
      null,
    ]);
  });
});
