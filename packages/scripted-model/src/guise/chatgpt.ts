import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";

export interface ChatgptGuiseOptions {
  /** What `/models` lists, in its own form. */
  readonly models: readonly ({ readonly slug: string } & Readonly<Record<string, unknown>>)[];
  /** Whether a token is good. Absent: any. */
  readonly takesToken?: (token: string) => boolean;
}

const root = "/backend-api/codex";

/** What a ChatGPT login is asked at: tokens only, its own paths, and a list of models for a client that says its version. */
export function createChatgptGuise({ models, takesToken = () => true }: ChatgptGuiseOptions): Guise {
  return {
    checks: {},
    answer({ method, url, headers }) {
      const { pathname, searchParams } = new URL(url, "http://chatgpt");
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
      if (token === undefined || token.startsWith("sk-") || !takesToken(token)) return refuse(401, "Unauthorized");
      if (method === "POST" && pathname === `${root}/responses`) return null;
      if (method === "POST" && pathname === `${root}/responses/compact`) return null;
      if (method !== "GET" || pathname !== `${root}/models`) return refuse(404, "Not Found");
      const isVersioned = /^\d+\.\d+\.\d+$/.test(searchParams.get("client_version") ?? "");
      return isVersioned ? { status: 200, body: { models } } : refuse(400, "client_version is required");
    },
    findUnsupported: () => [],
  };
}

function refuse(status: number, detail: string): HttpTurn {
  return { status, body: { detail } };
}
