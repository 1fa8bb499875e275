/**
 * The version of the Codex CLI whose files, requests and messages ours resemble. Programs that were made for it compare this
 * number, and its model list leaves models out for an older one. Threads never carry it: `session_meta` is ours.
 */
export const codexVersion = "0.169.0";
