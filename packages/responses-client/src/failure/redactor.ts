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
    clear(text) {
      const longestFirst = [...known].toSorted((left, right) => right.length - left.length);
      return longestFirst.reduce((cleared, secret) => cleared.replaceAll(secret, "[redacted]"), text);
    },
  };
}

/** Shorter values are words like `true` or `v1`: hiding them would hide half of a message. */
const shortestSecret = { credential: 4, header: 8 } as const;

/** What must not be repeated of the values of headers: each whole, and without its scheme (`Bearer …`). */
export function toSecrets(headers: Readonly<Record<string, string>>, kind: keyof typeof shortestSecret): string[] {
  return Object.values(headers)
    .flatMap((value) => [value.trim(), value.trim().replace(/^\S+\s+/, "")])
    .filter((secret) => secret.length >= shortestSecret[kind]);
}

/** A query also holds what a message may well name, an API version; so its secrets are told by their names. */
export function toQuerySecrets(query: Readonly<Record<string, string>>): string[] {
  return Object.entries(query)
    .filter(([name, value]) => /key|token|secret|password|auth|sig/i.test(name) && value !== "")
    .map(([, value]) => value);
}
