import type { Clock } from "@unroll/flow";
import { AuthError } from "../auth-error.ts";
import type { AuthRecord, StoredLogin } from "../record/auth-record.ts";
import { encodeAuthRecord } from "../record/encode-auth-record.ts";
import { parseAuthRecord } from "../record/parse-auth-record.ts";
import { toAccountPlace } from "./accounts.ts";
import { clearPlace } from "./clear-place.ts";
import { createFilePlace } from "./file-place.ts";
import { openPlaces, type PlacesOptions, type StoreReport } from "./open-places.ts";
import type { Place } from "./place.ts";
import { lockStore } from "./store-lock.ts";

export interface FoundRecord extends AuthRecord {
  readonly place: Place;
  /** As it is. */
  readonly text: string;
}

/** The login of one account of a Codex home. Call methods that change it with the lock held. All throw `AuthError`. */
export interface CredentialStore {
  /**
   * Null: nobody is logged in. Throws `store_unusable` for a record that cannot be understood,
   * which stays as it is.
   */
  read(): Promise<FoundRecord | null>;
  /** Null: the signal aborted while another process held it. */
  lock(signal: AbortSignal): Promise<Disposable | null>;
  /**
   * Replaces the record by a new login. A record that cannot be understood is put aside, and the
   * report says so.
   */
  save(login: StoredLogin): Promise<StoreReport>;
  /** Throws if a renewal could not be saved: writes the present record once more. */
  checkWritable(found: FoundRecord): Promise<void>;
  /** Saves the renewed login where it was found. */
  renew(found: FoundRecord, login: StoredLogin): Promise<void>;
  /** Removes the login everywhere. Returns notices. */
  clear(): Promise<readonly string[]>;
}

export interface StoreOptions extends Pick<PlacesOptions, "storage" | "openKeyring"> {
  readonly codexHome: string;
  /** Absent: `default`, whose login is in `auth.json`. */
  readonly account?: string | undefined;
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/** The Codex CLI's name for it, so that one login serves both. */
const keyring = { service: "Codex Auth", setting: "cli_auth_credentials_store" };

/** Throws `AuthError` for a wrong name of an account. */
export function openCredentialStore(options: StoreOptions): CredentialStore {
  const { codexHome, clock, account = "default" } = options;
  const { path, keyringPrefix: prefix, isNamed } = toAccountPlace(codexHome, account);
  const places = openPlaces({ ...options, path, keyring: { ...keyring, prefix, codexHome } });
  const file = createFilePlace(path);

  async function write(place: Place, login: StoredLogin): Promise<readonly string[]> {
    const { members, notices } = await clearPlace(place, path, clock);
    await place.write(encodeAuthRecord(login, members));
    return notices;
  }

  async function forget(place: Place): Promise<readonly string[]> {
    const { notices } = await clearPlace(place, path, clock);
    await place.remove();
    return notices;
  }

  return {
    read: () => places.find(readRecord),
    lock: (signal) => lockStore(`${path}.lock`, clock, signal),
    async save(login) {
      const report = await places.keep((place) => write(place, login), forget);
      if (isNamed && report.place !== path) await file.write(inKeyring);
      return report;
    },
    checkWritable: ({ place, text }) => place.write(text),
    renew: (found, login) => found.place.write(encodeAuthRecord(login, found.members)),
    async clear() {
      const notices = await places.forget(forget);
      if (isNamed) await file.remove();
      return notices;
    },
  };
}

/** The file of a named account whose login is in the keyring: a record without a login. */
const inKeyring = `${JSON.stringify({ stored_in: "keyring" })}\n`;

/** Null: there is none, or one without a login. */
async function readRecord(place: Place): Promise<FoundRecord | null> {
  const text = await readText(place);
  if (text === null) return null;
  const parsed = parseAuthRecord(text);
  if (parsed.type === "record") return parsed.record.login === null ? null : { ...parsed.record, place, text };
  const message = `The login in ${place.name} cannot be used: ${parsed.reason}. ${remedy}`;
  throw new AuthError("store_unusable", message);
}

const remedy = "It was not changed. Log in again with unroll login, which saves it under another name.";

/** A login that cannot be read still exists. */
async function readText(place: Place): Promise<string | null> {
  try {
    return await place.read();
  } catch (error) {
    if (!(error instanceof AuthError) || error.code !== "store_unusable") throw error;
    throw new AuthError("store_unusable", `${error.message} ${remedy}`, { cause: error });
  }
}
