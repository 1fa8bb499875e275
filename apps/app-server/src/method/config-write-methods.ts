import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ClientParams, ClientResult } from "@unroll/app-server-protocol";
import type { ConfigKeyEdit } from "@unroll/config/upkeep";
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

/** All edits, or none. */
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
  const { editConfigKeys } = await import("@unroll/config/upkeep");
  const keyEdits = edits.flatMap(toKeyEdits);
  await editConfigKeys(file, keyEdits);
  const notices = await listNotices(keyEdits, { codexHome, host: threadHost.host });
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

/** An edit of the wire as edits of keys: a table is written key by key. */
function toKeyEdits(edit: Edit): readonly ConfigKeyEdit[] {
  const removal = isRemoval(edit) ? [{ key: edit.keyPath, text: null }] : [];
  const values = listConfigValues(edit.keyPath, edit.value);
  return [...removal, ...values.map(({ key, value: text }) => ({ key, text }))];
}

/** The warnings for the user: keys that another file overrides, for example. */
async function listNotices(
  edits: readonly ConfigKeyEdit[],
  { codexHome, host }: { readonly codexHome: string; readonly host: MethodContext["threadHost"]["host"] },
): Promise<readonly string[]> {
  const { readWrittenKey } = await import("@unroll/use-cases/config");
  const notices: string[] = [];
  for (const { key } of edits.filter(({ text }) => text !== null)) {
    const written = await readWrittenKey({ codexHome, key }, { flags: {}, host });
    const isOverridden = written.counted !== null && written.counted.path !== written.file;
    notices.push(...written.warnings, ...(isOverridden ? [describeWrittenKey(written)] : []));
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
