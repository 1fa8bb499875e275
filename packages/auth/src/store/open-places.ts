import { AuthError } from "../auth-error.ts";
import type { CredentialStorage } from "../auth-settings.ts";
import { createFilePlace } from "./file-place.ts";
import { createKeyringPlace, type KeyringName, type OpenKeyring, openSystemKeyring } from "./keyring.ts";
import type { Place } from "./place.ts";

export interface PlacesOptions {
  readonly storage: CredentialStorage;
  /** The file's path. */
  readonly path: string;
  readonly keyring: KeyringName;
  /** Absent: the system's keyring. */
  readonly openKeyring?: OpenKeyring | undefined;
}

/** Where something was saved, and what else happened. */
export interface StoreReport {
  /** Where the secret is now. */
  readonly place: string;
  readonly notices: readonly string[];
}

/**
 * The places where one secret may be, by the user's setting. Only this type knows which place
 * counts, and which one is the fallback. All methods throw `AuthError`.
 */
export interface Places {
  /** Null: it is in none. */
  find<Found>(look: (place: Place) => Promise<Found | null>): Promise<Found | null>;
  /** Writes to the first place that works, and removes the secret from the others. Both return notices. */
  keep(write: UsePlace, forget: UsePlace): Promise<StoreReport>;
  forget(forget: UsePlace): Promise<readonly string[]>;
}

type UsePlace = (place: Place) => Promise<readonly string[]>;

interface ListedPlace extends Place {
  /** Whether the next place is the fallback if this one does not work. */
  readonly isOptional: boolean;
}

export function openPlaces(options: PlacesOptions): Places {
  const { path } = options;
  const places = listPlaces(options);

  async function forgetAll(forgotten: readonly ListedPlace[], forget: UsePlace): Promise<readonly string[]> {
    const notices: string[] = [];
    for (const place of forgotten) {
      const cleared = await unlessMissing(place, forget);
      if ("value" in cleared) notices.push(...cleared.value);
    }
    return notices;
  }

  return {
    async find(look) {
      for (const place of places) {
        const found = await unlessMissing(place, look);
        if ("value" in found && found.value !== null) return found.value;
      }
      return null;
    },
    async keep(write, forget) {
      const missing: string[] = [];
      for (const place of places) {
        const written = await unlessMissing(place, write);
        if ("fault" in written) missing.push(`${written.fault.message} For now, the login is stored in ${path}.`);
        else {
          const others = places.filter((each) => each !== place);
          const notices = [...missing, ...written.value, ...(await forgetAll(others, forget))];
          return { place: place.name, notices };
        }
      }
      throw new AuthError("store_unusable", "There is no place to store the login.");
    },
    forget: (forget) => forgetAll(places, forget),
  };
}

/** First choice first. */
function listPlaces({
  path,
  storage,
  keyring,
  openKeyring = openSystemKeyring,
}: PlacesOptions): readonly ListedPlace[] {
  const file = { ...createFilePlace(path), isOptional: false };
  if (storage === "file") return [file];
  const entry = createKeyringPlace(keyring, openKeyring);
  return storage === "keyring" ? [{ ...entry, isOptional: false }] : [{ ...entry, isOptional: true }, file];
}

/** The place's value; `fault`: the place does not work, and another one replaces it. */
async function unlessMissing<Value>(
  place: ListedPlace,
  use: (place: Place) => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly fault: AuthError }> {
  try {
    return { value: await use(place) };
  } catch (error) {
    if (place.isOptional && error instanceof AuthError && error.code === "keyring_unavailable") return { fault: error };
    throw error;
  }
}
