import { lstat, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import { RequestFault } from "@unroll/thread-host/wire";
import type { MethodContext, MethodsOf, MethodTable } from "./method.ts";

const maxFileBytes = 32 * 1024 * 1024;

/** Files are read as for a prompt: no hidden file, none of unroll's own folder, and no link out of the project. */
export const fsMethods: MethodTable<MethodsOf<"fs">> = {
  async "fs/readFile"({ path }, context) {
    const { openPromptFiles } = await import("@unroll/harness");
    const files = await openPromptFiles(await readSettings(path, context));
    const read = await files.read(path, maxFileBytes);
    if (read.type !== "read") throw refuse(path, read);
    if (read.size > maxFileBytes) throw refuse(path, { type: "refused", reason: "is larger than 32 MiB" });
    return { result: { dataBase64: Buffer.from(read.bytes).toString("base64") } };
  },

  async "fs/readDirectory"({ path }, context) {
    const { openPromptFiles } = await import("@unroll/harness");
    const settings = await checkPath(path, context);
    const listed = await (await openPromptFiles(settings)).list(path);
    if (listed.type !== "listed") throw refuse(path, listed);
    const entries = listed.entries.map(({ name: fileName, type }) => {
      return { fileName, isDirectory: type === "folder", isFile: type === "file" };
    });
    return { result: { entries } };
  },

  async "fs/getMetadata"({ path }, context) {
    await checkPath(path, context);
    const own = await lstat(path).catch(() => null);
    const facts = await stat(path).catch(() => null);
    if (own === null) throw refuse(path, { type: "missing" });
    return {
      result: {
        isDirectory: facts?.isDirectory() ?? false,
        isFile: facts?.isFile() ?? false,
        isSymlink: own.isSymbolicLink(),
        createdAtMs: Math.floor((facts ?? own).birthtimeMs),
        modifiedAtMs: Math.floor((facts ?? own).mtimeMs),
      },
    };
  },
};

/** The settings for the path of a file or a folder. Throws `RequestFault` if it must not be read. */
export async function checkPath(path: string, context: MethodContext): Promise<ResolvedConfig> {
  const { explainRefusedPath } = await import("@unroll/harness");
  const settings = await readSettings(path, context);
  const reason = await explainRefusedPath(path, settings);
  if (reason !== null) throw refuse(path, { type: "refused", reason });
  return settings;
}

/** The config of the path's repository; without one, and in unroll's own folder, that of the server's folder. */
async function readSettings(path: string, { threadHost, io }: MethodContext): Promise<ResolvedConfig> {
  if (!isAbsolute(path)) throw new RequestFault("invalidParams", "path: an absolute path is expected.");
  for (const folder of [path, dirname(path)])
    if ((await stat(folder).catch(() => null))?.isDirectory() === true) {
      const config = await threadHost.loadConfig(folder);
      const isProject = config.projectRoot !== null && config.projectRoot !== config.codexHome;
      return isProject ? config : { ...config, projectRoot: null, cwd: io.cwd };
    }
  throw refuse(path, { type: "missing" });
}

interface Refusal {
  readonly type: "missing" | "irregular" | "unreadable" | "refused";
  readonly reason?: string;
}

function refuse(path: string, { type, reason = type }: Refusal): RequestFault {
  const reasons = {
    missing: "is not there",
    irregular: "is not a regular file",
    unreadable: `cannot be read (${reason})`,
    refused: reason,
  };
  return new RequestFault("invalidRequest", `${path} ${reasons[type]}: it was not read.`);
}
