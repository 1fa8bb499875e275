import { join } from "node:path";
import type { CredentialStorage } from "../auth-settings.ts";
import type { OpenKeyring } from "./keyring.ts";
import { openPlaces, type Places, type StoreReport } from "./open-places.ts";

/** Where secrets of one kind are kept, and by which setting of the config. */
export interface SecretStoreOptions {
  /** Whose secrets they are: another home has others. Need not exist. */
  readonly codexHome: string;
  readonly storage: CredentialStorage;
  /** Of the files, one a secret; made when the first is kept. */
  readonly folder: string;
  /** How the keyring shows them to a person. */
  readonly service: string;
  /** The key of the config that chose the storage: a message names it. */
  readonly setting: string;
  /** Absent: that of the system. */
  readonly openKeyring?: OpenKeyring;
}

/** Secrets by name, each one text, in files for their owner only (0600, in a folder of 0700) or the system keyring. All throw `AuthError`. */
export interface SecretStore {
  /** Null: there is none of that name. */
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<StoreReport>;
  /** Nothing happens where there is none. */
  remove(name: string): Promise<void>;
}

/** A name is made of letters, digits, `_` and `-`. Nothing is read or loaded before it is needed. */
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
