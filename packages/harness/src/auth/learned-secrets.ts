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
  /** One for all threads with the same secrets, until something is learned: its tables take up to 128 KiB. */
  const masks = new Map<string, SecretMask>();

  function findMask(secrets: readonly NamedSecret[]): SecretMask {
    const key = JSON.stringify(secrets);
    const mask = masks.get(key) ?? createSecretMask([...secrets, ...learned.values()]);
    masks.set(key, mask);
    return mask;
  }

  /** Learned secrets are never forgotten: files may hold them for long. */
  function createMask(secrets: readonly NamedSecret[]): SecretMask {
    let known = learned.size;
    let mask = findMask(secrets);
    const current = (): SecretMask => {
      if (known !== learned.size) mask = findMask(secrets);
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
    learn(secret) {
      learned.set(secret.value, secret);
      masks.clear();
    },
    createMask,
  };
}
