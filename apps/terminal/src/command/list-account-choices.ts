import type { ResolvedConfig } from "@unroll/config";
import type { Account } from "@unroll/use-cases/login";
import type { ArgumentChoice, CommandContext } from "./terminal-command.ts";

/** The accounts that are wanted, by their names. Absent: all. */
export async function listAccountChoices(
  config: ResolvedConfig,
  host: CommandContext["host"],
  isWanted: (account: Account) => boolean = () => true,
): Promise<readonly ArgumentChoice[]> {
  const { readAccounts } = await import("@unroll/use-cases/login");
  const { describeAccountLogin } = await import("@unroll/report");
  const accounts = await readAccounts(config, host);
  return accounts
    .filter(isWanted)
    .map((account) => ({ value: account.name, description: describeAccountLogin(account) }));
}
