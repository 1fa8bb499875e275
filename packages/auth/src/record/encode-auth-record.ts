import type { RecordMembers, StoredLogin } from "./auth-record.ts";

/**
 * The text of an `auth.json` with this login. Members that are not ours stay, including those among
 * the tokens.
 */
export function encodeAuthRecord(login: StoredLogin, members: RecordMembers): string {
  return `${JSON.stringify({ ...members, ...toMembers(login, members) }, null, 2)}\n`;
}

function toMembers(login: StoredLogin, { tokens }: RecordMembers): RecordMembers {
  switch (login.type) {
    case "key":
      return { auth_mode: "apikey", OPENAI_API_KEY: login.key, tokens: null, last_refresh: null };
    case "tokens": {
      const own = {
        id_token: login.idToken,
        access_token: login.accessToken,
        refresh_token: login.refreshToken,
        account_id: login.accountId,
        ...(login.lifetimeMs === null ? { expires_in: undefined } : { expires_in: login.lifetimeMs / 1000 }),
      };
      return {
        auth_mode: "chatgpt",
        OPENAI_API_KEY: null,
        tokens: typeof tokens === "object" ? { ...tokens, ...own } : own,
        last_refresh: login.renewedAt === null ? null : new Date(login.renewedAt).toISOString(),
      };
    }
  }
}
