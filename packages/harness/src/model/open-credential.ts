import type { RequestCredential } from "@unroll/auth";
import { type ProviderCredential, resolveCredential, type ResolvedConfig } from "@unroll/config";
import type { LearnedSecrets } from "../auth/learned-secrets.ts";
import { openLogin } from "../auth/open-login.ts";
import { explainWrongLogin } from "../auth/explain-wrong-login.ts";
import { HarnessError } from "../harness-error.ts";
import type { HostEnvironment } from "../host/host-environment.ts";
import { findStateFolder } from "../host/state-folder.ts";

/** Who the requests of a thread are from, and where they go. */
export interface ModelAccess {
  readonly baseUrl: string;
  readonly credential: Pick<RequestCredential, "authorization"> & Partial<RequestCredential>;
  /** Resolves when nothing is under way that an end would cut off. */
  readonly settled: () => Promise<void>;
}

export interface CredentialContext {
  readonly host: HostEnvironment;
  readonly learned: LearnedSecrets;
}

/**
 * Finds the credential of the config's provider. What keeps logins, and what runs a command for a key, is loaded only where
 * there is no simpler one. Throws `HarnessError` `missing_credential`, and `AuthError`.
 */
export async function openCredential(config: ResolvedConfig, context: CredentialContext): Promise<ModelAccess> {
  const found = resolveCredential(config.provider, context.host.env);
  const { baseUrl } = config.provider;
  switch (found.type) {
    case "none":
      return { baseUrl, credential: toFixed({}), settled };
    case "bearer":
      return { baseUrl, credential: toFixed({ authorization: `Bearer ${found.token}` }), settled };
    case "header":
      return { baseUrl, credential: toFixed({ [found.header]: found.token }), settled };
    case "command":
      return { baseUrl, credential: await openCommandCredential(found.command, context), settled };
    case "missing":
      return openLoginCredential(config, found, context);
  }
}

async function settled(): Promise<void> {}

function toFixed(headers: Readonly<Record<string, string>>): ModelAccess["credential"] {
  return { authorization: () => Promise.resolve(headers) };
}

type Found<Type> = Extract<ProviderCredential, { readonly type: Type }>;

async function openCommandCredential(
  command: Found<"command">["command"],
  { host, learned }: CredentialContext,
): Promise<RequestCredential> {
  const { createCommandCredential } = await import("@unroll/auth");
  const { runKeyCommand } = await import("../auth/run-key-command.ts");
  const credential = createCommandCredential({
    configKey: command.configKey,
    run: () => runKeyCommand({ ...command, stateFolder: findStateFolder(host) }, host),
    onCredential: (secret) => learned.learn(secret),
    refreshMs: command.refreshMs,
    clock: host,
  });
  await credential.authorization(new AbortController().signal); // before threads open: their masks know it then
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
  if (!credential) throw notFound(config, missing);
  const fault = explainWrongLogin(config, credential.type);
  if (fault !== null) throw new HarnessError("missing_credential", fault);
  const baseUrl = credential.type === "tokens" ? (provider.loginBaseUrl ?? provider.baseUrl) : provider.baseUrl;
  return { baseUrl, credential, settled: () => credential.settled() };
}

function notFound(
  { provider }: ResolvedConfig,
  { envName, instructions, takesLogin, takesKey }: Found<"missing">,
): HarnessError {
  if (!takesKey) {
    const message = `There is no ChatGPT login for the provider ${provider.name}, and forced_login_method lets no key stand in: log in by unroll login.`;
    return new HarnessError("missing_credential", message);
  }
  const how = instructions === null ? "" : ` ${instructions}`;
  const orLogin = takesLogin ? " Or log in: unroll login." : "";
  const message = `There is no key for the provider ${provider.name}: set ${envName}.${how}${orLogin}`;
  return new HarnessError("missing_credential", message);
}
