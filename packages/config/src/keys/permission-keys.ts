export const permissionKeys = {
  title: "`[permissions.NAME]`",
  intro:
    "Permission profiles of the Codex CLI, selected by `default_permissions` or by a client ([sandbox.md](sandbox.md#permission-profiles)). A profile that unroll's sandbox cannot keep exactly is refused when it is selected.",
  table: "permissions",
  keys: {
    description: { kind: "any-text", text: "a description for clients that list the profiles" },
    extends: {
      kind: "text",
      text: "the profile whose rules come first: `:read-only`, `:workspace` or another name",
      weight: "guard",
    },
    workspace_roots: {
      kind: "flags",
      text: "folders that the rules of `:workspace_roots` also apply to, by path; `false` leaves one out",
      weight: "guard",
    },
    filesystem: {
      kind: "access-rules",
      text: "what commands may do with a path: absolute, `~/…`, `:root`, `:workspace_roots`, `:slash_tmp` or `:tmpdir`",
      weight: "guard",
    },
    network: {
      kind: "table",
      text: "`enabled = true` opens the network for commands; unroll refuses further rules for it",
      weight: "guard",
    },
  },
} as const;
