import { once } from "node:events";
import { openPrograms, type ProgramPlaces, spawnProgram } from "@unroll/process-tree";
import type { ProcessIo } from "./process-io.ts";

/**
 * Opens a page in the person's browser: `$BROWSER`, else what the system opens pages with, from no folder of PATH that
 * a project can fill. False where there is none, or no screen to show it on. The opened program outlives ours.
 */
export async function openPage(url: string, io: Pick<ProcessIo, "platform"> & ProgramPlaces): Promise<boolean> {
  const [name, ...args] = findOpener(io.env, io.platform);
  const { find, environment } = openPrograms(io);
  const opener = name === undefined ? null : find(name);
  if (opener?.type !== "found") return false;
  const child = spawnProgram(opener.file, [...args, url], { detached: true, stdio: "ignore", env: environment });
  try {
    await once(child, "spawn"); // rejects at its error
    child.unref();
    return true;
  } catch {
    return false;
  }
}

function findOpener(env: ProcessIo["env"], platform: string): readonly string[] {
  const [chosen = ""] = (env["BROWSER"] ?? "").split(":");
  if (chosen !== "") return [chosen];
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? ["xdg-open"] : [];
}
