export const loginKeys = {
  title: "Login",
  intro: "[login.md](login.md) explains how to log in and where credentials are stored.",
  keys: {
    account: {
      kind: "account",
      default: "default",
      text: "the login to use, if you have [several accounts](login.md#several-accounts): a name that you gave to `unroll login --as`, or `default`",
      by: "user",
      member: "login.account",
      flag: { names: "--account <name>", text: "use the login with this name (unroll login --as)", of: "settings" },
    },
    cli_auth_credentials_store: {
      kind: ["file", "keyring", "auto"],
      default: "file",
      text: "where your login is stored: `file` is `auth.json`, `keyring` is the system keyring, `auto` is the keyring if there is one and else the file",
      by: "user",
      member: "login.storage",
    },
    mcp_oauth_credentials_store: {
      kind: ["file", "keyring", "auto"],
      default: "file",
      text: "the same for [logins to MCP servers](login.md#where-logins-are-stored); their files are in `mcp-tokens`",
      by: "user",
      member: "login.mcpStorage",
    },
    chatgpt_base_url: {
      kind: "address",
      default: "https://chatgpt.com/backend-api",
      text: "base URL for requests with a ChatGPT login; `/codex/responses` is appended. It is not used if another setting moves the provider `openai`",
      by: "user",
    },
    forced_login_method: {
      kind: ["chatgpt", "api"],
      text: "the only kind of credential that `openai` and providers with `requires_openai_auth` may use: a ChatGPT login, or an API key. Every program refuses the other kind",
      by: "user",
      member: "login.method",
    },
    /** This one, the client and the scopes are OpenAI's, as the Codex CLI uses them. */
    "login.issuer": {
      kind: "address",
      default: "https://auth.openai.com",
      text: "the OAuth server: an `https` address, or `http` on this machine",
      by: "user",
    },
    "login.client_id": {
      kind: "text",
      default: "app_EMoamEEZ73f0CkXaXp7hrann",
      otherwise: "that of the Codex CLI",
      text: "the client id that unroll sends to the OAuth server",
      by: "user",
      member: "login.clientId",
    },
    "login.scopes": {
      kind: "texts",
      default: ["openid", "profile", "email", "offline_access"],
      text: "the scopes that a login requests",
      by: "user",
      member: "login.scopes",
    },
    "login.hosts": {
      kind: "texts",
      default: [],
      text: "more hosts (`host` or `host:port`) that unroll may contact if the issuer names them",
      by: "user",
      member: "login.hosts",
    },
  },
} as const;
