import type { CredentialStorage } from "../settings/auth-settings.ts";
import { createFilePlace } from "./file-place.ts";
import { createKeyringPlace, type OpenKeyring, openSystemKeyring } from "./keyring.ts";
import type { Place } from "./place.ts";

export interface PlacesOptions {
  readonly codexHome: string;
  readonly storage: CredentialStorage;
  /** Absent: that of the system. */
  readonly openKeyring?: OpenKeyring;
}

/** A place, and whether the next one stands in where it cannot be had. */
export interface ListedPlace extends Place {
  readonly isOptional: boolean;
}

/** Where a login may be, first choice first. `path` is that of `auth.json`. */
export function listPlaces(path: string, options: PlacesOptions): readonly ListedPlace[] {
  const { codexHome, storage, openKeyring = openSystemKeyring } = options;
  const file = { ...createFilePlace(path), isOptional: false };
  if (storage === "file") return [file];
  const keyring = createKeyringPlace(codexHome, openKeyring);
  return storage === "keyring" ? [{ ...keyring, isOptional: false }] : [{ ...keyring, isOptional: true }, file];
}
