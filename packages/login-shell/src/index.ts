export { createLoginShells } from "./login-shells.ts";

export type { ShellRunner } from "./capture/shell-runner.ts";
export type { LoginShells, ShellContext } from "./login-shells.ts";
