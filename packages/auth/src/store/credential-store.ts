import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@unroll/flow";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { AuthError } from "../fault/auth-error.ts";
import type { AuthRecord, StoredLogin } from "../record/auth-record.ts";
import { encodeAuthRecord } from "../record/encode-auth-record.ts";
import { type ParsedRecord, parseAuthRecord } from "../record/parse-auth-record.ts";
import type { CredentialStorage } from "../settings/auth-settings.ts";
import { createFilePlace } from "./file-place.ts";
import { createKeyringPlace, type OpenKeyring, openSystemKeyring } from "./keyring.ts";
import type { Place } from "./place.ts";
import { lockStore } from "./store-lock.ts";

export interface FoundRecord extends AuthRecord {
  readonly place: Place;
}

/** What happened besides, in sentences for a person. */
export interface StoreReport {
  /** Where the login is now. */
  readonly place: string;
  readonly notices: readonly string[];
}

/** The one login of a Codex home. What changes it is called with the lock held. All throw `AuthError`. */
export interface CredentialStore {
  /** Null: nobody is logged in. Throws `store_unusable` for what is there and cannot be understood; it stays as it is. */
  read(): Promise<FoundRecord | null>;
  /** Null: the signal was aborted while another held it. */
  lock(signal: AbortSignal): Promise<Disposable | null>;
  /** A new login in the place of what is there. What cannot be understood is kept aside, which the report says. */
  save(login: StoredLogin): Promise<StoreReport>;
  /** The same login, renewed, where it was found. */
  renew(found: FoundRecord, login: StoredLogin): Promise<void>;
  /** Forgets the login everywhere. Gives notices. */
  clear(): Promise<readonly string[]>;
}

export interface StoreOptions {
  readonly codexHome: string;
  readonly storage: CredentialStorage;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** Absent: that of the system. */
  readonly openKeyring?: OpenKeyring;
}

export function openCredentialStore(options: StoreOptions): CredentialStore {
  const { codexHome, storage, clock, openKeyring = openSystemKeyring } = options;
  const path = join(codexHome, "auth.json");
  const file = createFilePlace(path);
  const keyring = createKeyringPlace(codexHome, openKeyring);
  const places = { file: [file], keyring: [keyring], auto: [keyring, file] }[storage];

  /** Puts what cannot be understood out of the way; gives the notice. */
  async function keepAside(place: Place, reason: string): Promise<string> {
    const aside = `${path}.kept-${new Date(clock.now()).toISOString().replaceAll(":", "-")}`;
    const text = place === file ? null : await place.read();
    if (text !== null) await createFilePlace(aside).write(text);
    else await moveAside(path, aside);
    return `What was in ${place.name} is kept as ${aside}: ${reason}.`;
  }

  /** What a place holds, for who will write there. */
  async function prepare(place: Place): Promise<{ members: AuthRecord["members"]; notices: readonly string[] }> {
    const looked = await look(place);
    if (looked === null) return { members: {}, notices: [] };
    if (looked.type === "record") return { members: looked.record.members, notices: [] };
    return { members: {}, notices: [await keepAside(place, looked.reason)] };
  }

  async function saveIn(place: Place, login: StoredLogin): Promise<readonly string[]> {
    const { members, notices } = await prepare(place);
    await place.write(encodeAuthRecord(login, members));
    return notices;
  }

  return {
    async read() {
      for (const place of places) {
        const text = await (storage === "auto" && place === keyring ? place.read().catch(ignoreKeyring) : place.read());
        const parsed = text === null ? null : parseAuthRecord(text);
        if (parsed === null) continue;
        if (parsed.type !== "record") throw notUnderstood(place, parsed);
        if (parsed.record.login !== null) return { ...parsed.record, place };
      }
      return null;
    },
    lock: (signal) => lockStore(`${path}.lock`, clock, signal),
    async save(login) {
      const notices: string[] = [];
      for (const place of places) {
        try {
          notices.push(...(await saveIn(place, login)));
        } catch (error) {
          if (storage !== "auto" || place !== keyring || !isKeyringFault(error)) throw error;
          notices.push(`${error.message} Meanwhile the login is kept in ${path}.`);
          continue;
        }
        for (const other of places.filter((each) => each !== place)) notices.push(...(await forget(other)));
        return { place: place.name, notices };
      }
      throw new AuthError("store_unusable", "There is no place to keep the login.");
    },
    renew: (found, login) => found.place.write(encodeAuthRecord(login, found.members)),
    async clear() {
      const notices: string[] = [];
      for (const place of places) notices.push(...(await forget(place)));
      return notices;
    },
  };

  async function forget(place: Place): Promise<readonly string[]> {
    try {
      const { notices } = await prepare(place);
      await place.remove();
      return notices;
    } catch (error) {
      if (storage === "auto" && isKeyringFault(error)) return [];
      throw error;
    }
  }
}

type Looked = ParsedRecord | null;

/** A file that cannot be read can still be put aside. */
async function look(place: Place): Promise<Looked> {
  try {
    const text = await place.read();
    return text === null ? null : parseAuthRecord(text);
  } catch (error) {
    if (!(error instanceof AuthError) || error.code !== "store_unusable") throw error;
    return { type: "broken", reason: error.message.replace(/\.$/, "") };
  }
}

async function moveAside(path: string, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    const message = `${path} cannot be kept as ${aside}: ${describeSystemError(error)}.`;
    throw new AuthError("store_unusable", message, { cause: error });
  }
}

function notUnderstood(place: Place, { reason }: { readonly reason: string }): AuthError {
  const message = `The login in ${place.name} cannot be used: ${reason}. It is left as it is. Log in again with unroll login, which keeps it under another name.`;
  return new AuthError("store_unusable", message);
}

function isKeyringFault(error: unknown): error is AuthError {
  return error instanceof AuthError && error.code === "keyring_unavailable";
}

function ignoreKeyring(error: unknown): null {
  if (isKeyringFault(error)) return null;
  throw error;
}
