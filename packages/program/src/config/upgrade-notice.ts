import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findModel, findModelPrice, type ResolvedConfig } from "@unroll/config";
import { openProgramStore, type StoreIo } from "../thread/open-program-store.ts";

/**
 * One line about the effort that this version sends and earlier ones did not, at the first start after the upgrade.
 * Null if it was shown in this CODEX_HOME before, if no earlier version saved a thread there, or if nothing changes for
 * this model. `$CODEX_HOME/notices` records that it was shown.
 */
export async function takeUpgradeNotice(config: ResolvedConfig, io: StoreIo): Promise<string | null> {
  const notice = describeNewEffort(config);
  const record = join(config.codexHome, "notices", "sent-effort");
  if (notice === null || (await isThere(record))) return null;
  const last = await findLastWriter(config, io);
  if (last === "other") return null;
  await mkdir(dirname(record), { recursive: true, mode: 0o700 }).catch(() => {});
  await writeFile(record, "", { mode: 0o600 }).catch(() => {}); // if the home cannot be written, the notice is shown again
  return last === "earlier" ? notice : null;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Which version wrote the thread that was used last; `other`: there is none, or another program did. */
async function findLastWriter({ codexHome }: ResolvedConfig, io: StoreIo): Promise<"earlier" | "this" | "other"> {
  try {
    const store = await openProgramStore({ codexHome, store: "" }, io);
    const id = await store.find("last");
    const entries = id === null ? [] : (await store.load(id)).entries;
    if (entries.some((entry) => entry.type === "settings" && entry.settings.verbosity !== undefined)) return "this";
    return entries.some((entry) => entry.type === "thread.opened" && entry.head !== null) ? "earlier" : "other";
  } catch {
    return "other"; // the store reports its errors to the program that opens threads
  }
}

/** Null: nothing changes by what the catalogue says of this model, or the user sets an effort. */
function describeNewEffort(config: ResolvedConfig): string | null {
  const { model, provider, catalogue, reasoningEffort: effort, verbosity, origins } = config;
  const ofUser = catalogue.filter(({ origin }) => origin === "file" || origin === "config");
  const { info } = findModel(catalogue, model, provider.id);
  const isNew =
    !origins.has("model_reasoning_effort") && findModel(ofUser, model, provider.id).info.sentEffort === null;
  if (!isNew || effort === null || effort === info.defaultEffort) return null;
  const before = info.defaultEffort === null ? "its server decided" : `its server used ${info.defaultEffort}`;
  const isBrief = verbosity !== null && !origins.has("model_verbosity");
  const what = `the effort ${effort}${isBrief ? ` and the verbosity ${verbosity}` : ""}`;
  const price = findModelPrice(catalogue, model, provider.id);
  const cost = price === null ? "" : `, $${price.output} per million tokens`;
  const undo =
    info.defaultEffort === null
      ? ""
      : ` For the old effort, set model_reasoning_effort = "${info.defaultEffort}" in config.toml.`;
  return `New: unroll now sends ${model} ${what}; before, ${before}. ${compare(info.family.efforts, effort, info.defaultEffort)} Reasoning is billed as output${cost}.${undo} Existing threads keep their settings.`;
}

/** `before`: the server's own effort; null: not known. */
function compare(efforts: readonly string[] | null, effort: string, before: string | null): string {
  const [now, then] = [effort, before ?? ""].map((level) => efforts?.indexOf(level) ?? -1);
  if (now === undefined || then === undefined || then === -1) return "It may reason more or less than before.";
  return now > then
    ? "It reasons more, which takes longer and costs more."
    : "It reasons less, which is faster and cheaper.";
}
