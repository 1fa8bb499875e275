import * as z from "zod";
import type { AuthRecord, StoredLogin } from "./auth-record.ts";

/**
 * `broken`: not a complete record. `newer`: a complete one of a kind that this version does not
 * know. `reason`: a clause.
 */
export type ParsedRecord =
  | { readonly type: "record"; readonly record: AuthRecord }
  | { readonly type: "broken" | "newer"; readonly reason: string };

const text = z.string().nullish();
const tokensSchema = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: text,
  id_token: text,
  account_id: text,
  expires_in: z.number().positive().nullish(),
});
const recordSchema = z.looseObject({
  auth_mode: z.enum(["apikey", "chatgpt"]).nullish(),
  OPENAI_API_KEY: text,
  tokens: tokensSchema.nullish(),
  last_refresh: text,
});

type Members = z.infer<typeof recordSchema>;

/** Parses the text of an `auth.json` in the format of the Codex CLI. A reason never contains a value. */
export function parseAuthRecord(source: string): ParsedRecord {
  const value = parseJson(source);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { type: "broken", reason: "it is not a complete JSON object" };
  }
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join(".") ?? "";
    return { type: "newer", reason: `its ${key} has a kind that this version does not support` };
  }
  return { type: "record", record: { login: toLogin(parsed.data), members: parsed.data } };
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}

/** If both are present and `auth_mode` does not decide, the key counts, as in the Codex CLI. */
function toLogin(members: Members): StoredLogin | null {
  const key = members.OPENAI_API_KEY?.trim() ?? "";
  const mode = members.auth_mode ?? (key === "" ? "chatgpt" : "apikey");
  if (mode === "apikey") return key === "" ? null : { type: "key", key };
  const { tokens } = members;
  if (!tokens) return null;
  const renewedAt = Date.parse(members.last_refresh ?? "");
  return {
    type: "tokens",
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token || null,
    idToken: tokens.id_token || null,
    accountId: tokens.account_id || null,
    lifetimeMs: tokens.expires_in ? tokens.expires_in * 1000 : null,
    renewedAt: Number.isNaN(renewedAt) ? null : renewedAt,
  };
}
