import { join } from "node:path";
import type { Clock } from "@unroll/flow";
import { AuthError } from "../fault/auth-error.ts";
import type { AuthRecord, StoredLogin } from "../record/auth-record.ts";
import { encodeAuthRecord } from "../record/encode-auth-record.ts";
import { parseAuthRecord } from "../record/parse-auth-record.ts";
import { clearPlace } from "./aside.ts";
import { type ListedPlace, listPlaces, type PlacesOptions } from "./list-places.ts";
import type { Place } from "./place.ts";
import { lockStore } from "./store-lock.ts";

export interface FoundRecord extends AuthRecord {
  readonly place: Place;
  /** As it stands there. */
  readonly text: string;
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
  /** Throws where a renewal could not be kept: by writing what is there once more. */
  checkWritable(found: FoundRecord): Promise<void>;
  /** The same login, renewed, where it was found. */
  renew(found: FoundRecord, login: StoredLogin): Promise<void>;
  /** Forgets the login everywhere. Gives notices. */
  clear(): Promise<readonly string[]>;
}

export interface StoreOptions extends PlacesOptions {
  readonly clock: Pick<Clock, "now" | "sleep">;
}

export function openCredentialStore(options: StoreOptions): CredentialStore {
  const { codexHome, clock } = options;
  const path = join(codexHome, "auth.json");
  const places = listPlaces(path, options);

  async function write(place: Place, login: StoredLogin): Promise<readonly string[]> {
    const { members, notices } = await clearPlace(place, path, clock);
    await place.write(encodeAuthRecord(login, members));
    return notices;
  }

  async function forget(place: ListedPlace): Promise<readonly string[]> {
    const cleared = await unlessMissing(place, async () => {
      const { notices } = await clearPlace(place, path, clock);
      await place.remove();
      return notices;
    });
    return "fault" in cleared ? [] : cleared.value;
  }

  async function forgetAll(forgotten: readonly ListedPlace[]): Promise<readonly string[]> {
    const notices: string[] = [];
    for (const place of forgotten) notices.push(...(await forget(place)));
    return notices;
  }

  return {
    async read() {
      for (const place of places) {
        const found = await unlessMissing(place, () => readRecord(place));
        if ("value" in found && found.value !== null) return found.value;
      }
      return null;
    },
    lock: (signal) => lockStore(`${path}.lock`, clock, signal),
    async save(login) {
      const missing: string[] = [];
      for (const place of places) {
        const written = await unlessMissing(place, () => write(place, login));
        if ("fault" in written) missing.push(`${written.fault.message} Meanwhile the login is kept in ${path}.`);
        else {
          const others = await forgetAll(places.filter((each) => each !== place));
          return { place: place.name, notices: [...missing, ...written.value, ...others] };
        }
      }
      throw new AuthError("store_unusable", "There is no place to keep the login.");
    },
    checkWritable: ({ place, text }) => place.write(text),
    renew: (found, login) => found.place.write(encodeAuthRecord(login, found.members)),
    clear: () => forgetAll(places),
  };
}

/** Null: there is none, or one without a login. */
async function readRecord(place: Place): Promise<FoundRecord | null> {
  const text = await place.read();
  if (text === null) return null;
  const parsed = parseAuthRecord(text);
  if (parsed.type === "record") return parsed.record.login === null ? null : { ...parsed.record, place, text };
  const message = `The login in ${place.name} cannot be used: ${parsed.reason}. It is left as it is. Log in again with unroll login, which keeps it under another name.`;
  throw new AuthError("store_unusable", message);
}

/** What a place gives; `fault`: it cannot be had, and another one stands in. */
async function unlessMissing<Value>(
  place: ListedPlace,
  use: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly fault: AuthError }> {
  try {
    return { value: await use() };
  } catch (error) {
    if (place.isOptional && error instanceof AuthError && error.code === "keyring_unavailable") return { fault: error };
    throw error;
  }
}
