import { realpath } from "node:fs/promises";
import { describeThrown } from "@unroll/text";
import { AuthError } from "../auth-error.ts";
import type { Place } from "./place.ts";

/** One entry of the system keyring. Its methods throw the keyring's own errors. */
export interface KeyringEntry {
  get(): Promise<string | null>;
  set(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Finds the entry of a service and an account. Rejects if there is no keyring. */
export type OpenKeyring = (service: string, account: string) => Promise<KeyringEntry>;

/** Names an entry: its account is made of the prefix and a hash of the home. */
export interface KeyringName {
  readonly service: string;
  readonly prefix: string;
  readonly codexHome: string;
  /** The config key that chose the keyring, for messages. */
  readonly setting: string;
}

/** An entry that is opened at its first use. */
export function createKeyringPlace(name: KeyringName, open: OpenKeyring): Place {
  let opened: Promise<KeyringEntry> | null = null;

  async function use<Value>(run: (entry: KeyringEntry) => Promise<Value>): Promise<Value> {
    try {
      opened ??= toAccount(name).then((account) => open(name.service, account));
      return await run(await opened);
    } catch (error) {
      opened = null;
      const reason = describeThrown(error).split("\n")[0];
      const message = `The system keyring cannot be used (${reason}): start its service, or set ${name.setting} = "file" in config.toml.`;
      throw new AuthError("keyring_unavailable", message, { cause: error });
    }
  }

  return {
    name: "the system keyring",
    read: () => use((entry) => entry.get()),
    write: (text) => use((entry) => entry.set(text)),
    remove: () => use((entry) => entry.remove()),
  };
}

async function toAccount({ prefix, codexHome }: KeyringName): Promise<string> {
  const { createHash } = await import("node:crypto");
  const path = await realpath(codexHome).catch(() => codexHome);
  return `${prefix}|${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
}

/**
 * The system's keyring, through a native library that may be missing. On Linux only the Secret
 * Service is used: the library's alternative there, the kernel's keyring, forgets everything at a
 * restart.
 */
export async function openSystemKeyring(serviceName: string, account: string): Promise<KeyringEntry> {
  const { AsyncEntry } = await loadLibrary();
  const entry = new AsyncEntry(serviceName, account, { linux: { store: "secret-service" } });
  return {
    get: async () => entry.getPassword(),
    set: (text) => entry.setPassword(text),
    async remove() {
      await entry.deletePassword();
    },
  };
}

async function loadLibrary(): Promise<typeof import("@napi-rs/keyring")> {
  try {
    return await import("@napi-rs/keyring");
  } catch (error) {
    throw new Error("the optional package @napi-rs/keyring is not installed", { cause: error });
  }
}
