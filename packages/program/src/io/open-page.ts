import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ProcessIo } from "./process-io.ts";

/**
 * Opens a page in the person's browser: `$BROWSER`, else what the system opens pages with. False where there is none, or no screen
 * to show it on. What was started outlives us.
 */
export async function openPage(url: string, { env, platform }: Pick<ProcessIo, "env" | "platform">): Promise<boolean> {
  const [file, ...args] = findOpener(env, platform);
  if (file === undefined) return false;
  const child = spawn(file, [...args, url], { detached: true, stdio: "ignore", env: { ...env } });
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
