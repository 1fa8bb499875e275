import { findShell } from "../program/find-system-program.ts";
import { spawnProgram } from "../program/spawn-program.ts";
import { endScript } from "./end-script.ts";
import { closeGuard, guardSurroundings, isRunning, unref, type Guard, type GuardOptions } from "./guard.ts";
import { createLateReport } from "./late-report.ts";

/** Each line lists what to end, as for kill(2). */
const script = `
targets=
while read -r line; do targets=$line; done
[ "$targets" = over ] && exit 0
set -- "$1" $targets${endScript}`;

/** A guard for every system with a shell. Null: there is none. */
export function openShellGuard({ mark, graceSeconds }: GuardOptions): Guard | null {
  const file = findShell();
  if (file === null) return null;
  const shell = spawnProgram(file, ["-c", script, mark, String(graceSeconds)], {
    ...guardSurroundings,
    stdio: ["pipe", "ignore", "ignore"],
  });
  unref(shell);
  const targets = new Set<number>();
  const report = createLateReport(() => shell.stdin.write(`${[...targets].join(" ")}\n`));

  return {
    isRunning: () => isRunning(shell),
    watch(target) {
      targets.add(target);
      report.atOnce();
    },
    forget(target) {
      targets.delete(target);
      report.soon();
    },
    close() {
      report.stop();
      return closeGuard(shell, { farewell: targets.size === 0 ? "over\n" : "", graceSeconds });
    },
  };
}
