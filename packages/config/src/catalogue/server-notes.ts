import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ServerFeature } from "@unroll/protocol";
import { readRegularFile } from "../layer/read-config-file.ts";
import { isTable } from "../toml/table.ts";

/** A model of a provider at an address. Another address is another server. */
export interface ServedModel {
  readonly providerId: string;
  readonly baseUrl: string;
  readonly model: string;
}

/** The parts of requests that a server refused. */
export interface RefusedParts {
  readonly features: readonly ServerFeature[];
  /** Members that belong to no feature. */
  readonly members: readonly RefusedMember[];
}

/** A member of requests. */
export interface RefusedMember {
  /** Dotted: `reasoning.effort`. */
  readonly path: string;
  /** The value that is refused. Absent: any value. */
  readonly value?: string | number | boolean;
}

/** Saved `RefusedParts`. Another version may have written it, so its features may have unknown names. */
export interface ServerNote {
  readonly features: readonly string[];
  readonly members: readonly RefusedMember[];
}

/** Remembers what servers refused, so that new threads leave it out. A lost note costs one refused request. */
export interface ServerNotes {
  /** The note on a model; empty if there is none, or if it cannot be read. */
  read(served: ServedModel): Promise<ServerNote>;
  /** Replaces the note on a model. Throws file system errors. */
  save(served: ServedModel, note: ServerNote): Promise<void>;
}

/** One note in the file of its provider. */
interface Entry extends ServerNote {
  readonly model: string;
  readonly base_url: string;
}

/** Notes as files below `codexHome`, one for each provider. `forget` removes those of a provider. */
export function openServerNotes(codexHome: string): ServerNotes & { forget(providerId: string): Promise<void> } {
  const folder = join(codexHome, "server-notes");
  const toFile = (providerId: string): string => join(folder, `${encodeURIComponent(providerId)}.json`);
  return {
    async read(served) {
      const entries = await readEntries(toFile(served.providerId));
      const { features, members } = entries.find(isOf(served)) ?? { features: [], members: [] };
      return { features, members };
    },
    async save(served, note) {
      const { default: writeFileAtomic } = await import("write-file-atomic");
      const file = toFile(served.providerId);
      const others = (await readEntries(file)).filter((entry) => !isOf(served)(entry));
      const refused = [...others, { model: served.model, base_url: served.baseUrl, ...note }];
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFileAtomic(file, `${JSON.stringify({ refused }, null, 2)}\n`, { mode: 0o600 });
    },
    forget: (providerId) => rm(toFile(providerId), { force: true }),
  };
}

function isOf({ model, baseUrl }: ServedModel): (entry: Entry) => boolean {
  return (entry) => entry.model === model && entry.base_url === baseUrl;
}

async function readEntries(file: string): Promise<readonly Entry[]> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readRegularFile(file)));
    const refused = isTable(value) ? value["refused"] : null;
    return Array.isArray(refused) ? refused.filter(isEntry) : [];
  } catch {
    return []; // the file does not exist, or is not JSON
  }
}

function isEntry(value: unknown): value is Entry {
  if (!isTable(value)) return false;
  const { model, base_url, features, members } = value;
  return (
    [model, base_url].every((each) => typeof each === "string") &&
    Array.isArray(features) &&
    features.every((each) => typeof each === "string") &&
    Array.isArray(members) &&
    members.every(isMember)
  );
}

function isMember(value: unknown): value is RefusedMember {
  if (!isTable(value)) return false;
  return (
    typeof value["path"] === "string" && ["undefined", "string", "number", "boolean"].includes(typeof value["value"])
  );
}
