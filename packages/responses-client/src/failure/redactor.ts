import { redactSecrets } from "@unroll/text";

/** Keeps the credentials of a client out of what it says; it has to be told each before it is sent. */
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

/** What must not be repeated of the values of headers: each whole, and without its scheme (`Bearer …`). */
export function toSecrets(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).flatMap((value) => [value.trim(), value.trim().replace(/^\S+\s+/, "")]);
}

/** A query also holds what a message may well name, an API version; so its secrets are told by their names. */
export function toQuerySecrets(query: Readonly<Record<string, string>>): string[] {
  return Object.entries(query)
    .filter(([name]) => /key|token|secret|password|auth|sig/i.test(name))
    .map(([, value]) => value);
}
