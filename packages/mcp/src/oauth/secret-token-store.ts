import { checkShape } from "@unroll/text";
import { AuthError, type SecretStore } from "@unroll/auth";
import { ServerFault } from "../fault/server-fault.ts";
import { toServerKey } from "../tool/tool-names.ts";
import { credentialsSchema, type McpCredentials, type McpTokenStore } from "./token-store.ts";

/**
 * Saves each server's login as a secret of its own, so that two processes never overwrite each
 * other's. A login that cannot be parsed counts as none.
 */
export function createMcpTokenStore(secrets: SecretStore): McpTokenStore {
  checkShape("createMcpTokenStore", secrets, { read: "a function", write: "a function", remove: "a function" });
  return {
    async read(server) {
      const text = await told(() => secrets.read(toServerKey(server)));
      return text === null ? null : parseCredentials(text);
    },
    async write(server, credentials) {
      const text = `${JSON.stringify(credentials, null, 2)}\n`;
      return (await told(() => secrets.write(toServerKey(server), text))).notices;
    },
    remove: (server) => told(() => secrets.remove(toServerKey(server))),
  };
}

function parseCredentials(text: string): McpCredentials | null {
  try {
    return credentialsSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

async function told<Value>(use: () => Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    // structure-ignore idioms: the model gets it as the output of a call
    const message = `its login cannot be read or stored. ${error.message.replace(/\.$/, "")}`;
    throw new ServerFault("not_started", message, { cause: error });
  }
}
