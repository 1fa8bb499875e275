import { once } from "node:events";
import { findSystemProgram } from "../program/find-system-program.ts";
import { spawnProgram } from "../program/spawn-program.ts";

/** Windows has no groups and no SIGTERM; taskkill follows the ids of parents. */
export async function stopWindowsTree(leader: number): Promise<void> {
  const file = findSystemProgram("taskkill.exe");
  if (file === null) return;
  const taskkill = spawnProgram(file, ["/PID", String(leader), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  await once(taskkill, "exit").catch(() => {});
}
