/** The shell that runs the model's scripts, as in `bash -lc SCRIPT`. Implemented by `harness`. */
export interface UserShell {
  /** What the model is told: `bash`, `zsh`. */
  readonly name: string;
  /** `login`: whether the shell reads the user's profile first. */
  toArgv(script: string, options: { readonly login: boolean }): readonly string[];
}
