import { resolveCredential, type ResolvedConfig } from "@unroll/config";
import { listAccountChoices } from "../list-account-choices.ts";
import { switchConfig } from "../switch-config.ts";
import type { CommandContext, TerminalCommand } from "../terminal-command.ts";

export const accountCommand: TerminalCommand = {
  name: "account",
  description: "show your accounts, or switch to another one",
  argument: "[NAME]",
  choices: ({ thread, host }) => listAccountChoices(thread.config, host),
  timing: "between_turns",
  isHarmless: true,
  async run(context, typed) {
    const { thread, host, tell } = context;
    const { config } = thread;
    const credential = resolveCredential(config.provider, host.env);
    if (credential.type !== "missing" || !credential.takesLogin || config.model === "unroll-demo")
      return tell(`Requests to ${config.provider.name} use no login, so no account is in use.`);
    const name = typed === "" ? await chooseAccount(context) : typed;
    if (name === null) return;
    if (name === config.login.account) return tell(`You are already using the account ${name}.`);
    if (!(await isLoggedIn(context, name))) return;
    if (await switchConfig(context, withAccount(config, name)))
      return tell(`Account: ${name}, from the next request on.`);
    tell(
      `The account is still ${config.login.account}. To switch without resending, use /new and then /account ${name}.`,
    );
  },
};

/** Null: you left the question, or there is no other account and a message says so. */
async function chooseAccount({ thread, host, choose, tell }: CommandContext): Promise<string | null> {
  const options = await listAccountChoices(thread.config, host);
  const current = thread.config.login.account;
  if (options.length > 1) return choose({ title: "Which account?", options, current });
  tell(`Account: ${current} (${options[0]?.description ?? ""}). \`unroll login --as NAME\` adds another one.`);
  return null;
}

/** False: nobody is, or the login cannot be used, and a message says so. */
async function isLoggedIn({ thread, host, tell }: CommandContext, name: string): Promise<boolean> {
  const { readAccounts } = await import("@unroll/use-cases/login");
  const accounts = await readAccounts(thread.config, host);
  const account = accounts.find((each) => each.name === name);
  if (account !== undefined && account.status !== null && account.fault === null) return true;
  const others = `Your accounts: ${accounts.map((each) => each.name).join(", ")}.`;
  tell(account?.fault ?? `Nobody is logged in to the account ${name}: run unroll login --as ${name}. ${others}`);
  return false;
}

function withAccount(config: ResolvedConfig, account: string): ResolvedConfig {
  const origins = new Map([...config.origins, ["account", { type: "thread" }] as const]);
  return { ...config, login: { ...config.login, account }, origins };
}
