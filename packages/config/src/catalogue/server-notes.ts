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

/** What a server refused of requests. */
export interface RefusedParts {
  readonly features: readonly ServerFeature[];
  /** That no feature stands for. */
  readonly members: readonly RefusedMember[];
}

/** A member of requests. */
export interface RefusedMember {
  /** With dots: `reasoning.effort`. */
  readonly path: string;
  /** It is refused with this value. Absent: with any. */
  readonly value?: string | number | boolean;
}

/** The same as a note has it, perhaps one of another version: its features may have names that are not known. */
export interface ServerNote {
  readonly features: readonly string[];
  readonly members: readonly RefusedMember[];
}

/** What one server refused for one model, as its file says it. */
interface Entry extends ServerNote {
  readonly model: string;
  readonly base_url: string;
}

/** Where is kept what the server of a provider refused. */
function toNoteFile(codexHome: string, providerId: string): string {
  return join(codexHome, "server-notes", `${encodeURIComponent(providerId)}.json`);
}

/** What a server refused for this model when it was sent. Nothing where no note can be read. */
export async function readServerNote(codexHome: string, served: ServedModel): Promise<ServerNote> {
  return findEntry(await readEntries(toNoteFile(codexHome, served.providerId)), served);
}

/** Keeps what a server refused, so that new threads leave it out. Throws what the system says. */
export async function saveServerNote(codexHome: string, served: ServedModel, refused: RefusedParts): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  const file = toNoteFile(codexHome, served.providerId);
  const entries = await readEntries(file);
  const before = findEntry(entries, served);
  const entry: Entry = {
    ...before,
    features: [...new Set([...before.features, ...refused.features])],
    members: [
      ...before.members.filter((each) => !refused.members.some((other) => isSame(each, other))),
      ...refused.members,
    ],
  };
  const all = { refused: [...entries.filter((each) => !isOf(each, served)), entry] };
  await mkdir(join(codexHome, "server-notes"), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
}

/** Forgets what the servers of a provider refused: it may be sent again. */
export async function forgetServerNotes(codexHome: string, providerId: string): Promise<void> {
  await rm(toNoteFile(codexHome, providerId), { force: true });
}

function findEntry(entries: readonly Entry[], served: ServedModel): Entry {
  const { model, baseUrl: base_url } = served;
  return entries.find((entry) => isOf(entry, served)) ?? { model, base_url, features: [], members: [] };
}

function isOf(entry: Entry, { model, baseUrl }: ServedModel): boolean {
  return entry.model === model && entry.base_url === baseUrl;
}

function isSame(some: RefusedMember, other: RefusedMember): boolean {
  return some.path === other.path && some.value === other.value;
}

async function readEntries(file: string): Promise<readonly Entry[]> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await readRegularFile(file)));
    const refused = isFields(value) ? value["refused"] : null;
    return Array.isArray(refused) ? refused.flatMap((each) => readEntry(each) ?? []) : [];
  } catch {
    return []; // a note spares one request that is refused, and no more depends on it
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function readEntry(value: unknown): Entry | null {
  if (!isFields(value) || typeof value["model"] !== "string" || typeof value["base_url"] !== "string") return null;
  const { model, base_url, features = [], members = [] } = value;
  if (!Array.isArray(features) || !Array.isArray(members)) return null;
  return {
    model,
    base_url,
    features: features.filter((feature) => typeof feature === "string"),
    members: members.flatMap((member) => readMember(member) ?? []),
  };
}

function readMember(member: unknown): RefusedMember | null {
  if (!isFields(member) || typeof member["path"] !== "string") return null;
  const { path, value } = member;
  if (value === undefined) return { path };
  return isScalar(value) ? { path, value } : null;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
