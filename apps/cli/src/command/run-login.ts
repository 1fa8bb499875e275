import type { LoginStatus } from "@unroll/auth";
import { resolveCredential, type ResolvedConfig } from "@unroll/config";
import { untilAborted } from "@unroll/flow";
import {
  loadProgramConfig,
  openPage,
  type ProcessIo,
  ProgramError,
  type ProgramFlags,
  toProgramPlaces,
} from "@unroll/program";
import {
  describeAccountLogin,
  describeLoginCode,
  describeLoginPage,
  describeLogout,
  explainLoginFault,
} from "@unroll/report";
import { toPlainText } from "@unroll/text";
import { type Account, logIn, logOut, type LoginWay, readAccounts, readLogin } from "@unroll/use-cases/login";
import type { Host } from "@unroll/harness";
import type { CommandRun } from "../run-command.ts";

/** The flags of all of them. */
export interface AccountFlags extends Pick<ProgramFlags, "config"> {
  /** The account. Absent: that of the config. */
  readonly as?: string;
}

/** The flags of `unroll login`. */
export interface LoginFlags extends AccountFlags {
  readonly deviceAuth?: boolean;
  readonly withApiKey?: boolean;
}

/** The flags of `unroll login status`. */
export interface StatusFlags extends AccountFlags {
  readonly json?: boolean;
}

/** More than any key has. */
const maxKeyCharacters = 64 * 1024;

/** Returns the exit code: 0 logged in, 1 not, 2 the command line, the config or what is stored is wrong. */
export async function logInHere(flags: LoginFlags, run: CommandRun): Promise<number> {
  const { host, signal, print, complain } = run;
  const config = await loadAccountConfig(flags, host);
  if (flags.withApiKey !== true && config.login.method !== "api")
    complain(`Contacting ${new URL(config.login.issuer).host}. Press ^C to stop.`);
  const end = await logIn({ config, host, signal }, toWay(flags, config, run));
  if (end.type === "forbidden") throw new ProgramError("usage", explainLoginFault(end));
  if (end.type !== "logged_in") {
    complain(explainLoginFault(end));
    if (end.type === "failed" && flags.withApiKey !== true) complain(listOtherWays(flags));
    return 1;
  }
  for (const notice of end.notices) complain(notice);
  const { status } = await readLogin(config, host);
  if (status !== null) await print(describeLogin(status));
  return 0;
}

/** Returns the exit code: 0 somebody is logged in, 1 nobody is, 2 what is stored cannot be used. */
export async function showLoginStatus(flags: StatusFlags, { host, print, printJson }: CommandRun): Promise<number> {
  const config = await loadAccountConfig(flags, host);
  const { status, fault } = await readLogin(config, host);
  const accounts = await readAccounts(config, host);
  const used = resolveCredential(config.provider, host.env);
  const variable = used.type === "bearer" ? used.envName : null;
  if (flags.json) {
    const renewedAt = status?.renewedAt ? new Date(status.renewedAt).toISOString() : null;
    const facts = { loggedIn: status !== null, ...status, ...(status && { renewedAt }), usedInstead: variable };
    await printJson({ account: config.login.account, ...facts, accounts: accounts.map(toJson) });
  } else {
    await print(status === null ? explainNobody(config.login.account) : describeLogin(status));
    if (fault !== null) await print(`The login is not used. ${fault}`);
    if (variable !== null) await print(`${variable} is set and is used instead.`);
    if (accounts.length > 1) await print(`\n${describeAccounts(accounts)}`);
  }
  return status === null ? 1 : 0;
}

/** Returns the exit code: 0, also where nobody was logged in. */
export async function logOutHere(flags: AccountFlags, { host, signal, print, complain }: CommandRun): Promise<number> {
  const outcome = await logOut({ config: await loadAccountConfig(flags, host), host, signal });
  for (const notice of outcome.notices) complain(notice);
  await print(describeLogout(outcome));
  return 0;
}

/** Advice if the login server does not answer, or sends nonsense. */
function listOtherWays({ as, deviceAuth }: LoginFlags): string {
  const account = as === undefined ? "" : ` --as ${as}`;
  const other = deviceAuth ? `unroll login${account}` : `unroll login --device-auth${account}`;
  return `Try again, or use another way: ${other}, unroll login --with-api-key${account}, or unroll --oss for a model on this machine.`;
}

/** `--as` is another word for the config key. */
function loadAccountConfig({ as: account, ...flags }: AccountFlags, host: Host): Promise<ResolvedConfig> {
  const more = account === undefined ? [] : [{ key: "account", value: JSON.stringify(account), origin: "--as" }];
  return loadProgramConfig(flags, host, more);
}

function explainNobody(account: string): string {
  return account === "default"
    ? "Not logged in. Run unroll login."
    : `Not logged in to the account ${account}. Run unroll login --as ${account}.`;
}

function toJson({ name, isChosen, status, fault }: Account): object {
  const { type = null, place = null, email = null, plan = null } = status ?? {};
  return { name, isChosen, loggedIn: status !== null, type, place, email, plan, fault };
}

/** A table of accounts; `*` marks the chosen one. */
function describeAccounts(accounts: readonly Account[]): string {
  const width = Math.max(...accounts.map(({ name }) => name.length));
  const lines = accounts.map(
    (account) => `${account.isChosen ? "*" : " "} ${account.name.padEnd(width)}  ${describeAccountLogin(account)}`,
  );
  return ["Accounts (* is the one in use):", ...lines].join("\n");
}

/** A login as you read it: nothing of it could be used. */
function describeLogin({ type, place, email, plan, renewedAt }: LoginStatus): string {
  const who = `${email === null ? "" : ` as ${toPlainText(email)}`}${plan === null ? "" : ` (${toPlainText(plan)})`}`;
  const how = type === "key" ? "Logged in with an API key." : `Logged in${who}.`;
  const when = renewedAt === null ? "" : `, last renewed ${new Date(renewedAt).toISOString()}`;
  return `${how}\nStored in ${place}${when}.`;
}

function toWay(flags: LoginFlags, config: ResolvedConfig, { io, print }: CommandRun): LoginWay {
  if (flags.withApiKey) return { type: "key", readKey: (signal) => readKey(io, signal) };
  if (flags.deviceAuth) return { type: "code", showCode: (shown) => print(describeLoginCode(shown)) };
  const otherwise = " (on another machine: unroll login --device-auth)";
  return {
    type: "browser",
    openPage: async (url) =>
      print(describeLoginPage(url, await openPage(url, { ...io, ...toProgramPlaces(config, io) }), otherwise)),
  };
}

/** Null: stopped before stdin ended. Every process could see a key in the command line. */
async function readKey({ stdin }: ProcessIo, signal: AbortSignal): Promise<string | null> {
  if (stdin.kind === "terminal") {
    const message = "pipe the key into stdin: printenv OPENAI_API_KEY | unroll login --with-api-key";
    throw new ProgramError("usage", `--with-api-key: ${message}`);
  }
  return untilAborted(readStart(stdin.stream), signal);
}

async function readStart(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const piece of stream) {
    text += String(piece);
    if (text.length > maxKeyCharacters) throw new ProgramError("input", "stdin contains more than a key.");
  }
  return text.trim();
}
