import { findSecrets, type FoundSecret } from "../check/find-secrets.ts";
import { isCredential } from "../check/is-credential.ts";
import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** Credentials in a file that is shared with everybody who has the repository. */
export function warnOfSecrets(layer: ConfigLayer): readonly ConfigWarning[] {
  return findSecrets(layer.table)
    .filter(isSecret)
    .map(({ path }) => {
      const key = formatKey(path);
      const origin = layer.locate(path);
      const message = `${formatOrigin(origin)}: ${key} looks like a credential, and a project's configuration is shared with everybody who has the project: take it out, make it void where it came from, and name an environment variable instead.`;
      return { code: "secret_in_project", message, key, origin };
    });
}

function isSecret({ path, how, text }: FoundSecret): boolean {
  // services like to put keys into the queries of their addresses
  const { search = "", username = "", password = "" } = (how === "query" && URL.parse(text)) || {};
  return (
    how === "value" || search + username + password !== "" || (how === "names" && isCredential(path.at(-1) ?? "", text))
  );
}
