import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { toServerKey } from "../tool/tool-names.ts";
import { credentialsSchema, type McpTokenStore } from "./token-store.ts";

/**
 * Logins as files of a folder, one a server, so that two processes never write over each other's. Only their owner can
 * read them (folder 0700, files 0600). A file that cannot be read counts as no login.
 */
export function createMcpTokenFolder(directory: string): McpTokenStore {
  const toPath = (server: string): string => join(directory, `${toServerKey(server)}.json`);
  return {
    async read(server) {
      try {
        return credentialsSchema.safeParse(JSON.parse(await readFile(toPath(server), "utf8"))).data ?? null;
      } catch {
        return null;
      }
    },
    async write(server, credentials) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { default: writeFileAtomic } = await import("write-file-atomic");
      await writeFileAtomic(toPath(server), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    },
    async remove(server) {
      await rm(toPath(server), { force: true });
    },
  };
}
