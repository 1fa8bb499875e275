import { createHash, timingSafeEqual } from "node:crypto";
import { ProgramError, type ProcessIo, readNamedFile } from "@unroll/program";

/** The flags that say which token clients of a WebSocket have to show, as the Codex CLI names them. */
export interface TokenFlags {
  readonly wsAuth?: string;
  readonly wsTokenFile?: string;
  readonly wsTokenSha256?: string;
}

/** The token that clients of a WebSocket have to show. */
export interface ClientToken {
  readonly sha256: Buffer;
  /** For stderr; null: the user who started the server knows it. */
  readonly shown: string | null;
}

/** Null: no flag says. Throws `ProgramError` for flags that do not fit together, and for a file without a token. */
export async function readClientToken(flags: TokenFlags, io: ProcessIo): Promise<ClientToken | null> {
  const { wsAuth, wsTokenFile: file, wsTokenSha256: digest } = flags;
  if (wsAuth === undefined) {
    if (file === undefined && digest === undefined) return null;
    throw new ProgramError("usage", "--ws-token-file and --ws-token-sha256 need --ws-auth capability-token.");
  }
  if (wsAuth !== "capability-token")
    throw new ProgramError("usage", `--ws-auth ${wsAuth}: unroll knows capability-token only.`);
  if ((file === undefined) === (digest === undefined))
    throw new ProgramError("usage", "--ws-auth capability-token needs either --ws-token-file or --ws-token-sha256.");
  if (file === undefined) return { sha256: parseDigest(digest ?? ""), shown: null };
  const token = (await readNamedFile({ flag: "--ws-token-file", file }, io.cwd)).trim();
  if (token === "") throw new ProgramError("input", `--ws-token-file ${file}: the file has no token.`);
  return { sha256: hash(token), shown: null };
}

/** The token of a WebSocket without such flags: that of the variable, or a new one. */
export function makeClientToken(variable: string, { env, newId }: ProcessIo): ClientToken {
  const token = env[variable] || newId(); // an empty one would let everybody in
  return { sha256: hash(token), shown: token };
}

/** Whether an `Authorization` header has the token. */
export function hasToken(authorization: string | undefined, { sha256 }: ClientToken): boolean {
  return timingSafeEqual(hash(authorization?.replace(/^Bearer /, "") ?? ""), sha256);
}

function parseDigest(digest: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(digest))
    throw new ProgramError("usage", "--ws-token-sha256: 64 hexadecimal digits are expected.");
  return Buffer.from(digest, "hex");
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
