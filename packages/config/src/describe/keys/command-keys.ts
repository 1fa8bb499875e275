import { type KeySection, paths, patterns } from "./key-section.ts";

export const commandKeys: KeySection = {
  title: "### Commands, sandbox, approvals",
  intro: "",
  table: null,
  keys: {
    sandbox_mode: { text: "how far commands reach" },
    approval_policy: {
      text: "when a person is asked; `unroll exec` never asks. A table has `on-request` ask only what it says: `sandbox_approval` (to leave the sandbox, and dangerous commands), `rules` (what a rule prompts for), `mcp_elicitations` (tools of MCP servers and their forms), each `true` or else refused. `request_permissions` and `skill_approval` are taken, and nothing asks them",
      type: "`untrusted` `on-failure` `on-request` `never`, or `{ granular = { … } }`",
    },
    command_timeout_ms: {
      text: "how long a command of `shell_command` or `shell` may run when the model names no time; `exec_command` ends none",
    },
    "sandbox_workspace_write.writable_roots": {
      text: "besides the working folder, `/tmp` and `$TMPDIR`; made where missing, or left out with a warning",
      type: paths,
    },
    "sandbox_workspace_write.network_access": { text: "whether commands reach the network in `workspace-write`" },
    "sandbox_workspace_write.exclude_slash_tmp": { text: "`/tmp` is not writable" },
    "sandbox_workspace_write.exclude_tmpdir_env_var": { text: "`$TMPDIR` is not writable" },
    "sandbox_workspace_write.git": {
      text: "`writable`: git works, its dangerous files are protected; `protected`: all of `.git` is read-only",
    },
    "sandbox.allow_weaker": { text: "whether a weaker sandbox may stand in where the real one cannot start" },
    "sandbox.max_processes": {
      text: "how many processes and threads the commands of a thread may have together; `0`: no limit. Where no control group can be made, how many they may add to those that run, and not held for root ([sandbox.md](sandbox.md#limits))",
    },
    "sandbox.max_memory_mb": {
      text: "MiB of data that each process of a command may have; `0`: no limit. Node needs 1024, and a build with AddressSanitizer `0`",
    },
    "sandbox.max_total_memory_mb": {
      text: "MiB of memory that the commands of a thread may have together, where a control group can be made ([sandbox.md](sandbox.md#limits)); `0`: no limit. Unless set, nine tenths of the machine's, and swap besides",
    },
    "sandbox.deny_read": {
      text: "what commands cannot read, besides `auth.json`, `mcp-tokens` and config files with credentials. In a folder that commands may write name the folder: a file there is only hidden until it is replaced",
      type: paths,
    },
    allow_login_shell: {
      text: "whether the model's scripts may have your profile read first ([sandbox.md](sandbox.md#login-shells)); `false` says nothing of a `bash -l` that a script or a program starts",
    },
    "shell_environment_policy.inherit": { text: "which variables commands get" },
    "shell_environment_policy.ignore_default_excludes": {
      text: "keep variables whose names hold KEY, SECRET, TOKEN or PASSWORD. Those of the harness's own keys never get there",
    },
    "shell_environment_policy.exclude": { text: "left out", type: patterns },
    "shell_environment_policy.set": { text: "set after that" },
    "shell_environment_policy.include_only": { text: "where not empty, only these remain", type: patterns },
  },
  outro: "",
};
