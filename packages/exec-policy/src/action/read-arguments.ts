/** The arguments of a program, its options apart from what they stand for. */
export interface Arguments {
  readonly operands: readonly string[];
  /** The first value of each option that takes one. */
  readonly values: ReadonlyMap<string, string>;
  /** Options without a value; of joined ones each (`-la`: `-l`, `-a`). */
  readonly flags: ReadonlySet<string>;
}

/** `valued`: the options that take a value, `-e` and `--regexp`, parted by blanks. */
export function readArguments(words: readonly string[], valued: string): Arguments {
  const [names, operands] = [new Set(valued.split(" ")), new Array<string>()];
  const [values, flags] = [new Map<string, string>(), new Set<string>()];
  const set = (name: string, value: string | undefined): void => {
    if (value !== undefined && !values.has(name)) values.set(name, value);
  };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (!/^-./.test(word)) {
      operands.push(word);
      continue;
    }
    const option = splitOption(word, names);
    for (const flag of option.flags) flags.add(flag);
    if (option.name !== null) set(option.name, option.value ?? words[++index]);
  }
  return { operands, values, flags };
}

interface Option {
  readonly flags: readonly string[];
  /** Null: it takes no value. */
  readonly name: string | null;
  /** Null: the next word is the value. */
  readonly value: string | null;
}

function splitOption(word: string, valued: ReadonlySet<string>): Option {
  if (word.startsWith("--")) {
    const [, name = word, value = null] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    return value === null && !valued.has(name) ? { flags: [name], name: null, value } : { flags: [], name, value };
  }
  const letters = Array.from(word.slice(1));
  const taker = letters.findIndex((letter) => valued.has(`-${letter}`));
  const flags = letters.slice(0, taker < 0 ? letters.length : taker).map((letter) => `-${letter}`);
  if (taker < 0) return { flags, name: null, value: null };
  return { flags, name: `-${letters[taker]}`, value: letters.slice(taker + 1).join("") || null };
}
