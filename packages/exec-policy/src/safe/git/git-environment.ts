/**
 * What git must not run, whatever the repository says. In order: repositories that lie among the files of another; programs
 * that watch files; hooks; programs that check signatures; the drivers of a merge that `-m` shows done anew; patches and
 * summaries by a git of its own in a submodule; the record of what it looked at, whose change calls a hook. Each has been seen to run something by `git log`, `show`, `status`
 * or `diff`, or stands beside one that has. Before git 2.31 these are not obeyed.
 */
const settings: readonly (readonly [key: string, value: string])[] = [
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["log.showSignature", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["log.diffMerges", "separate"],
  ["diff.submodule", "short"],
  ["diff.autoRefreshIndex", "false"],
  ["stash.showPatch", "false"],
  ["status.submoduleSummary", "false"],
  ["submodule.recurse", "false"],
];

/**
 * Variables under which git runs no pager, asks nothing, takes no lock, and fetches nothing: an object that is missing in a
 * partial clone would be fetched by any program that the repository names. See git(1), git-config(1).
 */
export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_PAGER: "cat",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};
