import { basename } from "node:path";
import type { App } from "./app.ts";

/** Shows the parts of `tui.terminal_title` in the terminal's title; an empty list leaves the title alone. Unknown names are ignored. */
export function showTitle({ driver, threads }: Pick<App, "driver" | "threads">): void {
  const { titleParts } = threads.current.config.terminal;
  if (titleParts.length === 0) return;
  driver.live?.setTitle((state) => {
    const { cwd } = threads.current.config;
    const project = titleParts.includes("project") ? ` (${basename(cwd)})` : "";
    return `unroll${project}${titleParts.includes("state") && state !== null ? `: ${state}` : ""}`;
  });
}
