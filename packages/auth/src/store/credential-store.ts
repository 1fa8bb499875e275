import { join } from "node:path";
import type { Clock } from "@unroll/flow";
import { AuthError } from "../auth-error.ts";
import type { AuthRecord, StoredLogin } from "../record/auth-record.ts";
import { encodeAuthRecord } from "../record/encode-auth-record.ts";
import { parseAuthRecord } from "../record/parse-auth-record.ts";
import { clearPlace } from "./clear-place.ts";
import { openPlaces, type PlacesOptions, type StoreReport } from "./open-places.ts";
import type { Place } from "./place.ts";
import { lockStore } from "./store-lock.ts";

export interface FoundRecord extends AuthRecord {
  readonly place: Place;
  /** As it is. */
  readonly text: string;
}

/** The only login of a Codex home. Call methods that change it with the lock held. All throw `AuthError`. */
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
  readonly clock: Pick<Clock, "now" | "sleep">;
}

/** The Codex CLI's name for it, so that one login serves both. */
const keyring = { service: "Codex Auth", prefix: "cli", setting: "cli_auth_credentials_store" };

export function openCredentialStore(options: StoreOptions): CredentialStore {
  const { codexHome, clock } = options;
  const path = join(codexHome, "auth.json");
  const places = openPlaces({ ...options, path, keyring: { ...keyring, codexHome } });

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
    save: (login) => places.keep((place) => write(place, login), forget),
    checkWritable: ({ place, text }) => place.write(text),
    renew: (found, login) => found.place.write(encodeAuthRecord(login, found.members)),
    clear: () => places.forget(forget),
  };
}

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
