export { createLoginShells } from "./login-shells.ts";

export type { StateFilter } from "./capture/capture-state.ts";
export type { ShellRunner } from "./capture/shell-runner.ts";
export type { LoginShells, LoginShellsOptions, ShellSurroundings } from "./login-shells.ts";
