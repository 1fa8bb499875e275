/** Which environment variables a command gets. Patterns are globs (`*`, `?`) over whole names; case does not count. */
export interface ShellEnvironmentPolicy {
  /** The first set of variables: everything, the few that every program needs, or nothing. */
  readonly inherit: "all" | "core" | "none";
  /** False: names that look like credentials (KEY, SECRET, TOKEN, PASSWORD) are left out. */
  readonly ignoreDefaultExcludes: boolean;
  readonly exclude: readonly string[];
  /** Set after the exclusions. */
  readonly set: Readonly<Record<string, string>>;
  /** Where not empty, only names that match one of them remain. */
  readonly includeOnly: readonly string[];
}
