/**
 * Settings that stop git from running programs that the repository names. In order: repositories among the files of another;
 * programs that watch files; hooks; programs that check signatures; the merge drivers that run when `-m` repeats a merge to show
 * it; patches and summaries, for which git starts another git in a submodule; the index refresh, since a changed index calls a
 * hook. We have seen each of these, or one closely related to it, run something under `git log`, `show`, `status` or `diff`. git
 * before 2.31 ignores these settings.
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
