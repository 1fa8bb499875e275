/** The shell that runs the model's scripts, as in `bash -lc SCRIPT`. Implemented by `harness`. */
export interface UserShell {
  /** What the model is told: `bash`, `zsh`. */
  readonly name: string;
  /** Whether scripts may have the user's profile read first; where not, `login` changes nothing. */
  readonly allowsLogin: boolean;
  /**
   * `login`: whether the shell reads the user's profile first. `program`: another one that takes the same options, by
   * name or path.
   */
  toArgv(script: string, options: { readonly login: boolean; readonly program?: string }): readonly string[];
}
