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
      return [toFinding("auth", "ok", `The provider ${provider.name} wants no key.`)];
    case "bearer":
      return [
        toFinding(
          "auth",
          "ok",
          `The key is ${found.envName === null ? "in the config" : `that of $${found.envName}`}.`,
        ),
      ];
    case "header":
      return [toFinding("auth", "ok", `The key is that of $${found.envName}, for the header ${found.header}.`)];
    case "command":
      return [toFinding("auth", "ok", `The key is what ${found.command.configKey} prints.`)];
    case "missing": {
      if (fault !== null) return [toFinding("auth", "failed", fault)];
      if (status !== null) return [toFinding("auth", "ok", describeStatus(status))];
      const ways = [
        ...(found.takesKey ? [`set ${found.envName}`] : []),
        ...(found.takesLogin ? ["log in: unroll login"] : []),
      ];
      const remedy = `${ways.join(", or ").replace(/^./, (first) => first.toUpperCase())}.`;
      const [state, message] = isDemo
        ? (["warning", "There is no key and no login, so the built-in demo model answers."] as const)
        : (["failed", `There is no key for the provider ${provider.name}.`] as const);
      return [{ ...toFinding("auth", state, message), remedy }];
    }
  }
}

function describeStatus({ type, email, place }: LoginStatus): string {
  const who = email === null ? "" : ` as ${email}`;
  return type === "key" ? `An API key is kept in ${place}.` : `Logged in${who}; kept in ${place}.`;
}
