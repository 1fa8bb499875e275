import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ClientParams, ClientResult } from "@unroll/app-server-protocol";
import { describeWrittenKey } from "@unroll/report";
import { listConfigValues } from "@unroll/thread-host";
import { RequestFault } from "@unroll/thread-host/wire";
import type { MethodContext, MethodReply, MethodTable } from "./method.ts";

/** The methods of this file. */
export type ConfigWriteMethod = "config/value/write" | "config/batchWrite";

type Edit = ClientParams<"config/batchWrite">["edits"][number];
type Target = Omit<ClientParams<"config/batchWrite">, "edits">;

export const configWriteMethods: MethodTable<ConfigWriteMethod> = {
  "config/value/write": ({ filePath, expectedVersion, ...edit }, context) =>
    writeEdits([edit], { filePath, expectedVersion }, context),
  "config/batchWrite": ({ edits, ...target }, context) => writeEdits(edits, target, context),
};

/** All edits, or none: they are tried on a copy first. */
async function writeEdits(
  edits: readonly Edit[],
  { filePath = null, expectedVersion = null }: Target,
  { threadHost, client }: MethodContext,
): Promise<MethodReply<ConfigWriteMethod>> {
  const { codexHome } = await threadHost.loadConfig(null);
  const file = join(codexHome, "config.toml");
  if (filePath !== null && resolve(filePath) !== file)
    throw new RequestFault("invalidParams", `filePath: only ${file} can be written.`);
  if (expectedVersion !== null && expectedVersion !== (await readVersion(file)))
    throw new RequestFault("invalidRequest", `expectedVersion: ${file} has changed since.`);
  await tryEdits(edits, file);
  const notices = await writeAll(edits, { codexHome, host: threadHost.host });
  const result: ClientResult<ConfigWriteMethod> = {
    status: "ok",
    version: await readVersion(file),
    filePath: file,
    overriddenMetadata: null,
  };
  const after = (): void =>
    notices.forEach((message) => client.notify({ method: "warning", params: { threadId: null, message } }));
  return { result, after };
}

async function tryEdits(edits: readonly Edit[], file: string): Promise<void> {
  const { setConfigKey, unsetConfigKey } = await import("@unroll/config/upkeep");
  const folder = await mkdtemp(join(tmpdir(), "unroll-config-"));
  const copy = join(folder, "config.toml");
  try {
    await copyFile(file, copy).catch(() => {}); // there may be none yet
    for (const edit of edits) {
      if (isRemoval(edit)) await unsetConfigKey(copy, edit.keyPath);
      for (const { key, value } of listConfigValues(edit.keyPath, edit.value)) await setConfigKey(copy, key, value);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns what the user should know: a key that another file overrides. */
async function writeAll(
  edits: readonly Edit[],
  { codexHome, host }: { readonly codexHome: string; readonly host: MethodContext["threadHost"]["host"] },
): Promise<readonly string[]> {
  const [{ setKey }, { unsetConfigKey }] = await Promise.all([
    import("@unroll/use-cases/config"),
    import("@unroll/config/upkeep"),
  ]);
  const notices: string[] = [];
  for (const edit of edits) {
    if (isRemoval(edit)) await unsetConfigKey(join(codexHome, "config.toml"), edit.keyPath);
    for (const each of listConfigValues(edit.keyPath, edit.value)) {
      const written = await setKey({ codexHome, ...each }, { flags: {}, host });
      const isOverridden = written.counted !== null && written.counted.path !== written.file;
      notices.push(...written.warnings, ...(isOverridden ? [describeWrittenKey(written)] : []));
    }
  }
  return notices;
}

/** Whether the present value goes: null removes it, and a table replaces another. */
function isRemoval({ value, mergeStrategy }: Edit): boolean {
  const isTable = typeof value === "object" && !Array.isArray(value);
  return value === undefined || value === null || (isTable && mergeStrategy === "replace");
}

async function readVersion(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
