export const loginKeys = {
  title: "Login",
  intro: "[login.md](login.md) says how to log in and what becomes of it.",
  keys: {
    cli_auth_credentials_store: {
      kind: ["file", "keyring", "auto"],
      default: "file",
      text: "where the login is kept: `auth.json`, the system keyring, or the keyring and where there is none the file",
      by: "user",
      member: "login.storage",
    },
    mcp_oauth_credentials_store: {
      kind: ["file", "keyring", "auto"],
      default: "file",
      text: "the same for [logins to MCP servers](login.md#what-is-kept-and-where); their files are in `mcp-tokens`",
      by: "user",
      member: "login.mcpStorage",
    },
    chatgpt_base_url: {
      kind: "address",
      default: "https://chatgpt.com/backend-api",
      text: "where requests with a ChatGPT login go (`/codex/responses` is put after it), while nothing moves the provider `openai`",
      by: "user",
    },
    forced_login_method: {
      kind: ["chatgpt", "api"],
      text: "the only way in that counts for `openai` and providers with `requires_openai_auth`: `chatgpt` (keys of variables and kept ones are not used), or `api` (a ChatGPT login is not used). `unroll login`, `/login`, the app-server and ACP refuse the other",
      by: "user",
      member: "login.method",
    },
    /** This one, the client and the scopes are OpenAI's, as the Codex CLI uses them. */
    "login.issuer": {
      kind: "address",
      default: "https://auth.openai.com",
      text: "the OAuth server; `https`, or `http` on this machine",
      by: "user",
    },
    "login.client_id": {
      kind: "text",
      default: "app_EMoamEEZ73f0CkXaXp7hrann",
      otherwise: "that of the Codex CLI",
      text: "by which it knows this program",
      by: "user",
      member: "login.clientId",
    },
    "login.scopes": {
      kind: "texts",
      default: ["openid", "profile", "email", "offline_access"],
      text: "what is asked for",
      by: "user",
      member: "login.scopes",
    },
    "login.hosts": {
      kind: "texts",
      default: [],
      text: "further hosts (`host` or `host:port`) that may be asked when the issuer names them; no others are",
      by: "user",
      member: "login.hosts",
    },
  },
} as const;
