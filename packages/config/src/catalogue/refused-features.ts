import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ServerFeature } from "@unroll/protocol";
import { readRegularFile } from "../layer/read-regular-file.ts";

/** A model of a provider at an address: at another one stands another server. */
export interface ServedModel {
  readonly providerId: string;
  readonly baseUrl: string;
  readonly model: string;
}

/** What one server refused for one model, as its file says it. */
interface RefusedEntry {
  readonly model: string;
  readonly base_url: string;
  readonly features: readonly string[];
}

/** Where is kept what the server of a provider refused. */
function toNoteFile(codexHome: string, providerId: string): string {
  return join(codexHome, "server-notes", `${encodeURIComponent(providerId)}.json`);
}

/**
 * The features that a server refused for this model when they were sent, by the names of `ServerFeatures`, and by those that another
 * version has. None where nothing can be read.
 */
export async function readRefusedFeatures(codexHome: string, served: ServedModel): Promise<readonly string[]> {
  const entries = await readEntries(toNoteFile(codexHome, served.providerId));
  return entries.find((entry) => isOf(entry, served))?.features ?? [];
}

/** Keeps that a server refused a feature, so that new threads leave it out. Returns the file. Throws what the system says. */
export async function keepRefusedFeature(
  codexHome: string,
  served: ServedModel,
  feature: ServerFeature,
): Promise<string> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  const file = toNoteFile(codexHome, served.providerId);
  const entries = await readEntries(file);
  const before = entries.find((entry) => isOf(entry, served))?.features ?? [];
  const entry = { model: served.model, base_url: served.baseUrl, features: [...new Set([...before, feature])] };
  const refused = [...entries.filter((each) => !isOf(each, served)), entry];
  await mkdir(join(codexHome, "server-notes"), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify({ refused }, null, 2)}\n`, { mode: 0o600 });
  return file;
}

/** Forgets what the servers of a provider refused: it may be sent again. */
export async function forgetRefusedFeatures(codexHome: string, providerId: string): Promise<void> {
  await rm(toNoteFile(codexHome, providerId), { force: true });
}

function isOf(entry: RefusedEntry, { model, baseUrl }: ServedModel): boolean {
  return entry.model === model && entry.base_url === baseUrl;
}

async function readEntries(file: string): Promise<readonly RefusedEntry[]> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readRegularFile(file)));
    const refused = typeof value === "object" && value !== null && "refused" in value ? value.refused : null;
    return Array.isArray(refused) ? refused.filter(isEntry) : [];
  } catch {
    return []; // a note spares one request that is refused, and no more depends on it
  }
}

function isEntry(value: unknown): value is RefusedEntry {
  if (typeof value !== "object" || value === null || !("features" in value)) return false;
  const hasNames = "model" in value && "base_url" in value;
  if (!hasNames || typeof value.model !== "string" || typeof value.base_url !== "string") return false;
  return Array.isArray(value.features) && value.features.every((feature) => typeof feature === "string");
}
