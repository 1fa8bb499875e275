import type { TextStyle } from "./text-style.ts";

/** How a thread is shown as text. */
export interface RenderOptions {
  readonly style: TextStyle;
  readonly showReasoning: boolean;
  /** Files in this folder are shown by their relative paths. */
  readonly cwd: string;
}
