import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import { formatKey, type KeyPath } from "../toml/key-path.ts";
import { isTable } from "../toml/table.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { isSecretKey } from "../schema/secret-keys.ts";

/** Credentials in a file that is shared with everybody who has the repository. */
export function warnOfSecrets(layer: ConfigLayer): readonly ConfigWarning[] {
  return listSecretPaths(layer.table, []).map((path) => {
    const key = formatKey(path);
    const origin = layer.locate(path);
    const message = `${formatOrigin(origin)}: ${key} looks like a credential, and a project's configuration is shared with everybody who has the project: take it out, make it void where it came from, and name an environment variable instead.`;
    return { code: "secret_in_project", message, key, origin };
  });
}

function listSecretPaths(table: object, path: KeyPath): readonly KeyPath[] {
  return Object.entries<unknown>({ ...table }).flatMap(([key, value]) => {
    const below = [...path, key];
    if (isTable(value)) return listSecretPaths(value, below);
    return typeof value === "string" && isSecretKey(below, value) ? [below] : [];
  });
}
