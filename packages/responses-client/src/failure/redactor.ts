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

/** A value this short is a word like `true` or `v1`; hiding it would hide half of a message. */
const shortestSecret = { credential: 4, setting: 8 } as const;

/** What must not be repeated of header or query values: each whole, and without its scheme (`Bearer …`). */
export function toSecrets(values: Readonly<Record<string, string>>, kind: keyof typeof shortestSecret): string[] {
  return Object.values(values)
    .flatMap((value) => [value.trim(), value.trim().replace(/^\S+\s+/, "")])
    .filter((secret) => secret.length >= shortestSecret[kind]);
}
