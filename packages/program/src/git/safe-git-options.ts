const settings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "safe.bareRepository=explicit",
  "diff.submodule=short",
  // What a partial clone lacks would be fetched by whatever program the repository names.
  "protocol.allow=never",
  ...["ext", "file", "git", "http", "https", "ssh"].map((name) => `protocol.${name}.allow=never`),
];

/** Options for a git that only looks, outside of any sandbox: no program that the repository names is run, nothing fetched. */
export const safeGitOptions: readonly string[] = ["--no-optional-locks", ...settings.flatMap((each) => ["-c", each])];
