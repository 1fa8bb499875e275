import type { LoginStatus } from "@unroll/auth";
import { readCredential } from "@unroll/use-cases/login";
import { type Finding, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./configured-run.ts";

/** Says who the requests would be from, and never with what. Throws `AuthError` for a login that cannot be used. */
export async function checkCredential({ config, host, isDemo }: ConfiguredRun): Promise<readonly Finding[]> {
  const { provider } = config;
  const { credential: found, status, fault } = await readCredential(config, host);
  switch (found.type) {
    case "none":
      return [toFinding("auth", "ok", `${provider.name} needs no key.`)];
    case "bearer":
      return [
        toFinding("auth", "ok", `Uses the key in ${found.envName === null ? "the config" : `$${found.envName}`}.`),
      ];
    case "header":
      return [toFinding("auth", "ok", `Uses the key in $${found.envName}, sent as the header ${found.header}.`)];
    case "command":
      return [toFinding("auth", "ok", `Uses the key that ${found.command.configKey} prints.`)];
    case "missing": {
      if (fault !== null) return [toFinding("auth", "failed", fault)];
      if (status !== null) return [toFinding("auth", "ok", describeStatus(status, config.login.account))];
      const ways = [
        ...(found.takesKey ? [`set ${found.envName}`] : []),
        ...(found.takesLogin ? [`log in: unroll login${toAccountFlag(config.login.account)}`] : []),
      ];
      const remedy = `${ways.join(", or ").replace(/^./, (first) => first.toUpperCase())}.`;
      const { account } = config.login;
      const inAccount = account === "default" ? "" : `, and nobody is logged in to the account ${account}`;
      const [state, message] = isDemo
        ? (["warning", "No key and no login, so the built-in demo model answers."] as const)
        : (["failed", `No key for ${provider.name}${inAccount}.`] as const);
      return [{ ...toFinding("auth", state, message), remedy }];
    }
  }
}

function toAccountFlag(account: string): string {
  return account === "default" ? "" : ` --as ${account}`;
}

function describeStatus({ type, email, place }: LoginStatus, account: string): string {
  const named = account === "default" ? "" : ` The account is ${account}.`;
  const who = email === null ? "" : ` as ${email}`;
  const how =
    type === "key" ? `Uses the API key stored in ${place}.` : `Logged in${who}; the login is stored in ${place}.`;
  return `${how}${named}`;
}
