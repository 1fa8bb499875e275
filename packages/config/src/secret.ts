/** A credential from a config file. Printed or serialised, it is `[secret]`; inspected, it looks empty. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The credential. Call this where it is sent, and do not store the result. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }
}

/** Wraps every value of a table; absent: an empty one. */
export function toSecrets(table: Readonly<Record<string, string>> = {}): Readonly<Record<string, Secret>> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, new Secret(value)]));
}
