import { spawn } from "node:child_process";
import { endScript } from "./end-script.ts";
import { closeGuard, guardSurroundings, isRunning, unref, type Guard, type GuardOptions } from "./guard.ts";
import { createLateReport } from "./late-report.ts";

/** Each line is the list of living groups. */
const script = `
groups=
while read -r line; do groups=$line; done
[ "$groups" = over ] && exit 0
set -- "$1" $groups${endScript}`;

/** A guard that every system with a shell has. */
export function openShellGuard({ mark, graceSeconds }: GuardOptions): Guard {
  const shell = spawn("/bin/sh", ["-c", script, mark, String(graceSeconds)], {
    ...guardSurroundings,
    stdio: ["pipe", "ignore", "ignore"],
  });
  unref(shell);
  const groups = new Set<number>();
  const report = createLateReport(() => shell.stdin.write(`${[...groups].join(" ")}\n`));

  return {
    isRunning: () => isRunning(shell),
    watch(group) {
      groups.add(group);
      report.atOnce();
    },
    forget(group) {
      groups.delete(group);
      report.soon();
    },
    close() {
      report.stop();
      return closeGuard(shell, { farewell: groups.size === 0 ? "over\n" : "", graceSeconds });
    },
  };
}
