import { redactSecrets } from "@unroll/text";

/** Removes the credentials of a client from its messages; each must be registered before it is sent. */
export interface Redactor {
  learn(secrets: readonly string[]): void;
  clear(text: string): string;
}

export function createRedactor(): Redactor {
  const known = new Set<string>();
  return {
    learn(secrets) {
      for (const secret of secrets) known.add(secret);
    },
    clear: (text) => redactSecrets(text, known),
  };
}

/** The secret parts of header values: each whole, and without its scheme (`Bearer`). */
export function toSecrets(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).flatMap((value) => [value.trim(), value.trim().replace(/^\S+\s+/, "")]);
}

/** A query also holds harmless values, such as an API version, so its secrets are recognised by name. */
export function toQuerySecrets(query: Readonly<Record<string, string>>): string[] {
  return Object.entries(query)
    .filter(([name]) => /key|token|secret|password|auth|sig/i.test(name))
    .map(([, value]) => value);
}
