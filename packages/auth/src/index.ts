export { createCommandCredential } from "./credential/command-credential.ts";
export { AuthError } from "./auth-error.ts";
export { openLoopbackCallback } from "./loopback/loopback-callback.ts";
export { sendHttp } from "./server/send-http.ts";
export { toResponse } from "./server/to-response.ts";
export { openAuth } from "./open-auth.ts";
export { listAccounts } from "./store/accounts.ts";
export { openSecretStore } from "./store/open-secret-store.ts";

export type { KeyCommandResult } from "./credential/command-credential.ts";
export type { LoginCredential } from "./credential/login-credential.ts";
export type { RequestCredential } from "./credential/request-credential.ts";
export type { CallbackPage } from "./loopback/render-callback-page.ts";
export type { Auth, AuthOptions, LoginOutcome, LoginStatus, LogoutOutcome } from "./open-auth.ts";
export type { HttpAnswer } from "./server/send-http.ts";
export type { OpenKeyring } from "./store/keyring.ts";
export type { SecretStore, SecretStoreOptions } from "./store/open-secret-store.ts";
