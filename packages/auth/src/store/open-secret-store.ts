import { join } from "node:path";
import type { CredentialStorage } from "../auth-settings.ts";
import type { OpenKeyring } from "./keyring.ts";
import { openPlaces, type Places, type StoreReport } from "./open-places.ts";

/** Where secrets of one kind are saved. */
export interface SecretStoreOptions {
  /** The home that they belong to: another home has its own. Need not exist. */
  readonly codexHome: string;
  readonly storage: CredentialStorage;
  /** The folder of the files, one for each secret; created with the first. */
  readonly folder: string;
  /** The name under which the system keyring shows them to the user. */
  readonly service: string;
  /** The config key that chose the storage, for messages. */
  readonly setting: string;
  /** Absent: the system's keyring. */
  readonly openKeyring?: OpenKeyring;
}

/**
 * Secrets by name, each one text. They are in files for their owner only (0600, in a folder of
 * 0700) or in the system keyring. All methods throw `AuthError`.
 */
export interface SecretStore {
  /** Null: there is none of that name. */
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<StoreReport>;
  /** Does nothing if there is none. */
  remove(name: string): Promise<void>;
}

/**
 * Opens a store of secrets. A name has letters, digits, `_` and `-`. Nothing is read or loaded
 * before it is needed.
 */
export function openSecretStore({
  codexHome,
  storage,
  folder,
  service,
  setting,
  openKeyring,
}: SecretStoreOptions): SecretStore {
  const placesOf = (name: string): Places => {
    const keyring = { service, prefix: name, codexHome, setting };
    return openPlaces({ storage, path: join(folder, `${name}.json`), keyring, openKeyring });
  };
  return {
    read: (name) => placesOf(name).find((place) => place.read()),
    write: (name, text) => placesOf(name).keep(async (place) => (await place.write(text), []), forget),
    async remove(name) {
      await placesOf(name).forget(forget);
    },
  };
}

async function forget(place: { remove(): Promise<void> }): Promise<readonly string[]> {
  await place.remove();
  return [];
}
