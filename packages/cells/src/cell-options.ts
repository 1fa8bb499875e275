import type { Libraries } from "./load-libraries.ts";

/** How cells become lines. */
export interface CellOptions {
  readonly libraries: Libraries;
  /** Cells that a line may take where it cannot be wrapped: one less than the terminal has. */
  readonly columns: number;
  /** Files in this folder are shown by their relative paths. */
  readonly cwd: string;
  readonly reasoning: "shown" | "folded" | "hidden";
  /** `whole`: nothing is left out, for the pager. */
  readonly detail: "folded" | "whole";
  /** How the rest of what is folded can be seen: `^T shows all`. */
  readonly more: string;
}
