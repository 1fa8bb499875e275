import type { RequestCredential } from "@unroll/auth";
import { listProjectFolders, type ProviderCredential, resolveCredential, type ResolvedConfig } from "@unroll/config";
import { codexVersion } from "@unroll/protocol/codex-version";
import type { LearnedSecrets } from "../auth/learned-secrets.ts";
import { openLogin } from "../auth/open-login.ts";
import {
  describeLoginRemedy,
  describeMissing,
  describeMissingAccount,
  describeRemedy,
  explainWrongLogin,
} from "../auth/describe-remedy.ts";
import { HarnessError } from "../harness-error.ts";
import type { Host } from "../host/host.ts";
import { findStateFolder } from "../host/state-folder.ts";

/** The credential and the address of a thread's requests. */
export interface ModelAccess {
  readonly baseUrl: string;
  /** The name of the login; null: requests use another credential. */
  readonly account: string | null;
  readonly credential: Pick<RequestCredential, "authorization"> &
    Partial<RequestCredential> & { readonly remedy: string };
  /** Extra parameters for the list of models. */
  readonly listParams: Readonly<Record<string, string>>;
  /** Resolves when nothing is running that closing would cut off. */
  readonly settled: () => Promise<void>;
}

export interface CredentialContext {
  readonly host: Host;
  readonly learned: LearnedSecrets;
}

/**
 * Finds the credential of the config's provider. Saved logins and key commands are loaded only if
 * there is nothing simpler. Throws `HarnessError` `missing_credential`, and `AuthError`.
 */
export async function openCredential(config: ResolvedConfig, context: CredentialContext): Promise<ModelAccess> {
  const found = resolveCredential(config.provider, context.host.env);
  const remedy = describeRemedy(config.provider, found);
  const access = { baseUrl: config.provider.baseUrl, account: null, listParams: {}, settled };
  switch (found.type) {
    case "none":
      return { ...access, credential: toFixed({}, remedy) };
    case "bearer":
      return { ...access, credential: toFixed({ authorization: `Bearer ${found.token}` }, remedy) };
    case "header":
      return { ...access, credential: toFixed({ [found.header]: found.token }, remedy) };
    case "command":
      return { ...access, credential: withRemedy(await openCommandCredential(found.command, config, context), remedy) };
    case "missing":
      return openLoginCredential(config, found, context);
  }
}

async function settled(): Promise<void> {}

function toFixed(headers: Readonly<Record<string, string>>, remedy: string): ModelAccess["credential"] {
  return { remedy, authorization: () => Promise.resolve(headers) };
}

function withRemedy(credential: RequestCredential, remedy: string): ModelAccess["credential"] {
  return {
    remedy,
    authorization: (signal) => credential.authorization(signal),
    refresh: (refused, signal) => credential.refresh(refused, signal),
  };
}

type Found<Type> = Extract<ProviderCredential, { readonly type: Type }>;

async function openCommandCredential(
  command: Found<"command">["command"],
  config: ResolvedConfig,
  { host, learned }: CredentialContext,
): Promise<RequestCredential> {
  const { createCommandCredential } = await import("@unroll/auth");
  const { runKeyCommand } = await import("../auth/run-key-command.ts");
  const credential = createCommandCredential({
    configKey: command.configKey,
    run: () =>
      runKeyCommand({ ...command, stateFolder: findStateFolder(host), projects: listProjectFolders(config) }, host),
    onCredential: (secret) => learned.learn(secret),
    refreshMs: command.refreshMs,
    clock: host,
  });
  await credential.authorization(new AbortController().signal); // before threads open, so that their masks know it
  return credential;
}

async function openLoginCredential(
  config: ResolvedConfig,
  missing: Found<"missing">,
  { host, learned }: CredentialContext,
): Promise<ModelAccess> {
  const { provider } = config;
  const login = missing.takesLogin ? await openLogin(config, host) : null;
  const credential = await login?.findCredential((secret) => learned.learn(secret));
  if (!credential) throw await explainMissing(config, missing);
  const fault = explainWrongLogin(config, credential.type);
  if (fault !== null) throw new HarnessError("missing_credential", fault);
  return {
    ...(credential.type === "tokens"
      ? { baseUrl: provider.loginBaseUrl ?? provider.baseUrl, listParams: chatgptListParams }
      : { baseUrl: provider.baseUrl, listParams: {} }),
    account: config.login.account,
    credential: withRemedy(credential, describeLoginRemedy(credential.type)),
    settled: () => credential.settled(),
  };
}

/** Nobody is logged in, at least not to the account that was named. */
async function explainMissing(config: ResolvedConfig, missing: Found<"missing">): Promise<HarnessError> {
  const { provider, codexHome } = config;
  const { account } = config.login;
  if (!missing.takesLogin || account === "default")
    return new HarnessError("missing_credential", describeMissing(provider, missing));
  const { listAccounts } = await import("@unroll/auth");
  const others = (await listAccounts(codexHome)).filter((name) => name !== account);
  return new HarnessError("account_missing", describeMissingAccount(account, others));
}

/** ChatGPT lists the models that a client of this version can use: our own would count as very old. */
const chatgptListParams = { client_version: codexVersion };
