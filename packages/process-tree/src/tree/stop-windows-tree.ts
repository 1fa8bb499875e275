import { spawn } from "node:child_process";
import { once } from "node:events";

/** Windows knows no groups and no SIGTERM; taskkill follows the ids of parents. */
export async function stopWindowsTree(leader: number): Promise<void> {
  const taskkill = spawn("taskkill", ["/PID", String(leader), "/T", "/F"], { stdio: "ignore", windowsHide: true });
  await once(taskkill, "exit").catch(() => {});
}
