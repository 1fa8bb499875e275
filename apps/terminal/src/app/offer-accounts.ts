import type { ResolvedConfig } from "@unroll/config";
import type { Account } from "@unroll/use-cases/login";
import { listAccountChoices } from "../command/list-account-choices.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { type Opening, tell } from "./app.ts";

type AccountPlace = Pick<Opening, "driver" | "signal" | "host">;

/**
 * If the account of a thread is gone, lets you choose another one and opens the thread with it. Throws what `open`
 * throws, also if you leave the question or have no other account.
 */
export async function openWithAccount<Opened>(
  place: AccountPlace,
  config: ResolvedConfig,
  open: (config: ResolvedConfig) => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open(config);
  } catch (error) {
    const { HarnessError } = await import("@unroll/harness");
    if (!(error instanceof HarnessError) || error.code !== "account_missing" || !place.driver.isAttended) throw error;
    tell(place, error.message, "error");
    const account = await chooseAccount(place, config);
    if (account === null) throw error;
    const origins = new Map([...config.origins, ["account", { type: "argument", name: "your choice" }] as const]);
    return open({ ...config, login: { ...config.login, account }, origins });
  }
}

/** Null: there is none, or you left the question. */
async function chooseAccount({ driver, host, signal }: AccountPlace, config: ResolvedConfig): Promise<string | null> {
  const isUsable = ({ status, fault }: Account): boolean => status !== null && fault === null;
  const options = await listAccountChoices(config, host, isUsable);
  if (options.length === 0) return null;
  return driver.ask(createChooseFlow({ title: "Which account do you want to use instead?", options }), signal);
}
