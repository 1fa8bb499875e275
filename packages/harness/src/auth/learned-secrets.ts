import { createSecretMask, type NamedSecret, type SecretMask } from "@unroll/text";

/** Credentials that appear while threads run: renewed tokens, and keys that a command prints. */
export interface LearnedSecrets {
  /** Masks these from now on, in all threads. */
  learn(secret: NamedSecret): void;
  /** A mask of these secrets, and of everything learned at any time. */
  createMask(secrets: readonly NamedSecret[]): SecretMask;
}

export function createLearnedSecrets(): LearnedSecrets {
  const learned = new Map<string, NamedSecret>();

  /**
   * Rebuilt when something was learned. Learned secrets are never forgotten: files may hold them
   * for long.
   */
  function createMask(secrets: readonly NamedSecret[]): SecretMask {
    let known = learned.size;
    let mask = createSecretMask([...secrets, ...learned.values()]);
    const current = (): SecretMask => {
      if (known !== learned.size) mask = createSecretMask([...secrets, ...learned.values()]);
      known = learned.size;
      return mask;
    };
    return {
      get isEmpty() {
        return current().isEmpty;
      },
      mask: (text) => current().mask(text),
      stream: () => current().stream(),
      findStandIns: (text) => current().findStandIns(text),
    };
  }

  return {
    learn: (secret) => void learned.set(secret.value, secret),
    createMask,
  };
}
