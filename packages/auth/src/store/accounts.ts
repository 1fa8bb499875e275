import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isPlainName } from "@unroll/files";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { AuthError } from "../auth-error.ts";

/** The account whose login is in `auth.json`, which the Codex CLI reads, too. */
const defaultAccount = "default";
const [fileStart, fileEnd] = ["auth.json.account.", ".json"];

/** Where a login is stored: its file, and the prefix of its entry in the system keyring. */
export interface AccountPlace {
  readonly path: string;
  readonly keyringPrefix: string;
  /** Whether the file exists even if the keyring holds the login, so that the account can be listed. */
  readonly isNamed: boolean;
}

/** Throws `AuthError` `store_unusable` for a name that could lead to another file. */
export function toAccountPlace(codexHome: string, account: string): AccountPlace {
  if (account === defaultAccount) return { path: join(codexHome, "auth.json"), keyringPrefix: "cli", isNamed: false };
  if (!isPlainName(account)) {
    const message = `${JSON.stringify(account)} is not a name of an account: use letters, digits, -, _ and ., at most 64 characters, a letter or digit first.`;
    throw new AuthError("store_unusable", message);
  }
  return { path: join(codexHome, `${fileStart}${account}${fileEnd}`), keyringPrefix: `cli.${account}`, isNamed: true };
}

/**
 * The names of the accounts of a Codex home: `default` first, then the others by name. The default one is listed even
 * without a login. Throws `AuthError` if the folder cannot be read.
 */
export async function listAccounts(codexHome: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(codexHome)).flatMap((file) =>
      file.startsWith(fileStart) && file.endsWith(fileEnd) ? [file.slice(fileStart.length, -fileEnd.length)] : [],
    );
    return [defaultAccount, ...names.filter((name) => isPlainName(name) && name !== defaultAccount).toSorted()];
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [defaultAccount];
    const message = `The accounts in ${codexHome} cannot be listed: ${describeSystemError(error)}.`;
    throw new AuthError("store_unusable", message, { cause: error });
  }
}
