import { parseArgs } from "node:util";

/** Reads an argument's value; null: it is not valid. */
export type ArgumentReader<Value> = (given: string) => Value | null;

type Readers = Readonly<Record<string, ArgumentReader<unknown>>>;

/** By their names; null: it was not given. */
type Values<Named extends Readers> = {
  readonly [Name in keyof Named]: (Named[Name] extends ArgumentReader<infer Value> ? Value : never) | null;
};

/** The arguments that a script accepts. */
export interface TakenArguments<Options extends Readers, Words extends Readers, Flag extends string> {
  /** `--name VALUE`. */
  readonly options?: Options;
  /** Arguments without a name, in this order. */
  readonly words?: Words;
  /** `--name`. */
  readonly flags?: readonly Flag[];
  /** Any number of words behind those. Absent: none. */
  readonly rest?: ArgumentReader<string>;
}

export type GivenArguments<Options extends Readers, Words extends Readers, Flag extends string> = Values<Options> &
  Values<Words> &
  Readonly<Record<Flag, boolean>> & { readonly rest: readonly string[] };

export const text: ArgumentReader<string> = (given) => given;

/** Whole numbers. */
export function wholeFrom(least: number): ArgumentReader<number> {
  return (given) => (/^\d+$/.test(given) && Number(given) >= least && Number.isSafeInteger(+given) ? +given : null);
}

export function oneOf<Name extends string>(names: readonly Name[]): ArgumentReader<Name> {
  return (given) => names.find((name) => name === given) ?? null;
}

/**
 * The arguments of a script of this repository. `-h` and `--help` print the usage and exit with 0; an unknown argument
 * prints an error and the usage on stderr, and exits with 2.
 */
export function parseArguments<
  const Options extends Readers = Record<never, never>,
  const Words extends Readers = Record<never, never>,
  const Flag extends string = never,
>(usage: string, taken: TakenArguments<Options, Words, Flag>): GivenArguments<Options, Words, Flag> {
  try {
    const { options = {}, words = {}, flags = [], rest } = taken;
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        ...Object.fromEntries(Object.keys(options).map((name) => [name, { type: "string" } as const])),
        ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" } as const])),
      },
    });
    const { positionals } = parsed;
    const values: Readonly<Record<string, unknown>> = parsed.values;
    if (values["help"] === true) end(usage, null);
    const names = Object.keys(words);
    const more = positionals.slice(names.length);
    if (more.length > 0 && rest === undefined) throw new TypeError(`There is no place for '${more[0]}'.`);
    return {
      ...Object.fromEntries(flags.map((name) => [name, values[name] === true])),
      ...readAll(options, (name) => values[name]),
      ...readAll(words, (name) => positionals[names.indexOf(name)]),
      rest: more.map((word) => read("the argument", word, rest ?? text)),
    } as unknown as GivenArguments<Options, Words, Flag>;
  } catch (error) {
    if (error instanceof TypeError) end(usage, error.message);
    throw error;
  }
}

function readAll(readers: Readers, find: (name: string) => unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(readers).map(([name, reader]): readonly [string, unknown] => {
    const given = find(name);
    return [name, typeof given === "string" ? read(name, given, reader) : null];
  });
  return Object.fromEntries(entries);
}

function read<Value>(name: string, given: string, reader: ArgumentReader<Value>): Value {
  const value = reader(given);
  if (value === null) throw new TypeError(`'${given}' cannot be ${name}.`);
  return value;
}

/** `wrong` null: nothing is. */
function end(usage: string, wrong: string | null): never {
  if (wrong === null) process.stdout.write(`usage: ${usage}\n`);
  else process.stderr.write(`${wrong.split(/\.?(?:\s|$)(?=[A-Z]|$)/)[0]}.\nusage: ${usage}\n`); // Node writes more lines
  process.exit(wrong === null ? 0 : 2);
}
