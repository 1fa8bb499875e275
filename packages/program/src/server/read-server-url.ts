import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeThrown } from "@unroll/text";
import { ProgramError } from "../failure/program-error.ts";
import type { ProcessIo } from "../io/process-io.ts";

/** A server of the user's own, as a flag or an environment variable names it. */
export interface NamedServer {
  readonly flag: string;
  /** The flag's value: a URL, or `@FILE` that contains one. Null: the variable counts. */
  readonly value: string | null;
  readonly variable: string;
  /** `postgres`, without `://`. */
  readonly schemes: readonly string[];
}

/** The driver of PostgreSQL reads these as `verify-full`, and warns that a later one will not. A certificate is always checked. */
const looseTls = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** Where the driver of PostgreSQL finds the user if the URL has none. */
const userVariables = ["PGUSER", "USER", "USERNAME"];

/**
 * The URL of the server; null: none is named. Throws `ProgramError` for another scheme, for a file that cannot be read, for PostgreSQL
 * without a user, and for a password on the command line, which every user of the machine can read there.
 */
export async function readServerUrl(server: NamedServer, io: Pick<ProcessIo, "cwd" | "env">): Promise<string | null> {
  const { flag, value, variable, schemes } = server;
  const named = value ?? io.env[variable] ?? "";
  if (named === "") return null;
  const url = named.startsWith("@") ? await readFirstLine(resolve(io.cwd, named.slice(1)), flag) : named;
  const list = schemes.map((scheme) => `${scheme}://`).join(", ");
  if (!schemes.some((scheme) => url.startsWith(`${scheme}://`)))
    throw new ProgramError("usage", `${flag}: use a URL with ${list}, or @FILE for a file that contains one.`);
  if (named === value && url === value && /^[a-z]+:\/\/[^/@]*:[^/@]+@/.test(url))
    throw new ProgramError(
      "usage",
      `${flag}: a password on the command line can be read by every user of this machine. Put the URL into ${variable}, or into a file and use ${flag} @FILE.`,
    );
  const hasUser = /^[a-z]+:\/\/[^/]+@|[?&]user=/.test(url) || userVariables.some((name) => io.env[name]);
  if (url.startsWith("postgres") && !hasUser)
    throw new ProgramError("usage", `${flag}: no user is named. Use postgres://USER@HOST/DATABASE, or set PGUSER.`);
  return url.replace(looseTls, "$1verify-full");
}

async function readFirstLine(path: string, flag: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).split("\n", 1)[0]?.trim() ?? "";
  } catch (error) {
    throw new ProgramError("usage", `${flag}: ${describeThrown(error)}`, { cause: error });
  }
}
