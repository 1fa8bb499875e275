import { shortestSecret } from "../redact-secrets.ts";
import type { PatternSet, TextEnd } from "./pattern-set.ts";
import { listSecretForms, type SecretForm } from "./secret-forms.ts";
import { createSpelledSet } from "./spelled-set.ts";
import { type Gap, splitInvisible } from "../split-invisible.ts";

/** A credential. Where two have the same name, the later one's stand-in gets a number. */
export interface NamedSecret {
  /** The name that the user knows it by: `OPENAI_API_KEY`. It can be read in the stand-in. */
  readonly name: string;
  readonly value: string;
}

/** Replaces each secret by a stand-in, `[masked-secret:OPENAI_API_KEY]`, and finds the secret for a stand-in again. */
export interface SecretMask {
  /** Whether it knows any secret. */
  readonly isEmpty: boolean;
  /** A text that is whole. Cut it after this, never before: half a secret would not be found. */
  readonly mask: (text: string) => string;
  /** For a text that comes in pieces. However they are cut, all that comes out is what `mask` makes of the whole. */
  readonly stream: () => MaskStream;
  /** The stand-ins in a text, each once. */
  readonly findStandIns: (text: string) => readonly StandIn[];
}

/** Masks a text that comes in pieces, also where a secret is cut by two of them. */
export interface MaskStream {
  /** Whether a secret was in what came out so far. */
  readonly hasMasked: boolean;
  /**
   * Returns the text that is certain by now. An end that may be the beginning of a secret is held back: less than the
   * longest one has.
   */
  write(piece: string): string;
  /** Returns the text that was held back. Nothing may be written after it. */
  end(): string;
}

/** The text that the model reads instead of a secret. */
export interface StandIn {
  readonly text: string;
  /** The text that undoes the mask: the secret as it was written, in its encoding. Null: it is not known (any more). */
  readonly value: string | null;
}

interface MaskPattern {
  readonly text: string;
  readonly standIn: string;
  /** For the text with other characters escaped. Its value is not known: it can be written in many ways. */
  readonly escapedStandIn: string;
  /** Whether it is found without escapes. The others say how escaped text is called. */
  readonly isLiteral: boolean;
}

/** Replaces the rest of a secret that overlaps with the one before it. It stands for no text of its own. */
const remainder = "[masked-secret:overlap]";
const standInPattern = /\[masked-secret:[\w.:-]+\]/g;

/**
 * A mask of these secrets, in every form of `listSecretForms`. Stand-ins depend only on names and their order: the same
 * secrets give the same ones in every process, and reveal nothing of a value. Values under `shortestSecret` characters
 * are let be, and those that are a part of a stand-in. Where secrets begin at the same place the longest counts; of one
 * that overlaps with another the rest is masked too. Case counts. Characters that show nothing do not count within a
 * secret.
 */
export function createSecretMask(secrets: readonly NamedSecret[]): SecretMask {
  const patterns = listPatterns(secrets);
  const byText = new Map(patterns.map((pattern) => [pattern.text, pattern]));
  const set = createSpelledSet(
    patterns.filter(({ isLiteral }) => isLiteral),
    (pattern, text) => byText.get(text) ?? { ...pattern, text, standIn: pattern.escapedStandIn },
  );
  const values = new Map(patterns.map(({ standIn, text }) => [standIn, text]));
  const shortest = Math.min(...patterns.map(({ text }) => text.length)); // escapes and invisible characters only add to it
  return {
    isEmpty: patterns.length === 0,
    mask(text) {
      if (text.length < shortest) return text;
      if (set.search(splitInvisible(text).bare, "last")(0) === null) return text;
      return createMaskStream(set).end(text);
    },
    stream() {
      const stream = createMaskStream(set);
      return {
        get hasMasked() {
          return stream.hasMasked;
        },
        write: (piece) => stream.write(piece, "open"),
        end: () => stream.end(""),
      };
    },
    findStandIns(text) {
      const found = new Set(text.match(standInPattern));
      return [...found].map((standIn) => ({ text: standIn, value: values.get(standIn) ?? null }));
    },
  };
}

/** A secret's plain form wins over the encoded form of another one. */
function listPatterns(secrets: readonly NamedSecret[]): readonly MaskPattern[] {
  const named = nameApart(secrets.filter(({ value }) => value.length >= shortestSecret));
  const forms = named.map(({ name, value }) => listSecretForms(value).map((form) => toPattern(name, form)));
  const ordered = [
    ...forms.flatMap(([plain]) => (plain ? [plain] : [])),
    ...forms.flatMap(([, ...encoded]) => encoded),
  ];
  const standIns = [remainder, ...ordered.map(({ standIn }) => standIn)].join("\n");
  const byText = new Map(ordered.toReversed().map((pattern) => [pattern.text, pattern]));
  return [...byText.values()].filter(({ text }) => !standIns.includes(text));
}

function toPattern(name: string, { label, text, isLiteral }: SecretForm): MaskPattern {
  const standIn = `[masked-secret:${name}${label && `:${label}`}]`;
  return { text, standIn, escapedStandIn: `[masked-secret:${name}:escaped]`, isLiteral };
}

/** One of each value, under a name that no other has. */
function nameApart(secrets: readonly NamedSecret[]): readonly NamedSecret[] {
  const byValue = new Map<string, string>();
  const taken = new Set(["overlap"]);
  for (const { name, value } of secrets) {
    if (byValue.has(value)) continue;
    const plain = name.replaceAll(/[^\w.-]+/g, "_") || "secret";
    let apart = plain;
    for (let n = 2; taken.has(apart); n += 1) apart = `${plain}-${n}`;
    taken.add(apart);
    byValue.set(value, apart);
  }
  return [...byValue].map(([value, name]) => ({ name, value }));
}

interface OpenMask {
  readonly hasMasked: boolean;
  write(piece: string, end: TextEnd): string;
  end(piece: string): string;
}

/** A carriage return may belong to a line feed, and half a character to the other half. */
const undecided = /[\r\ud800-\udbff]$/;

function createMaskStream(set: PatternSet<MaskPattern>): OpenMask {
  /** Text in which a secret may still begin, without invisible characters. */
  let held = "";
  /** Those characters, by their places in `held`. */
  let gaps: readonly Gap[] = [];
  /** The end of the last piece, if the next one decides what it is. */
  let carried = "";
  /** How much of it was returned or masked. */
  let told = 0;
  let last: "text" | "secret" | "remainder" = "text";
  let hasMasked = false;

  function cover(start: number, { text, standIn }: MaskPattern): string {
    const isApart = start >= told;
    if (start + text.length <= told) return "";
    told = start + text.length;
    gaps = gaps.filter(({ at }) => at <= start || at >= told);
    const shown = isApart ? standIn : last === "remainder" ? "" : remainder;
    last = isApart ? "secret" : "remainder";
    hasMasked = true;
    return shown;
  }

  /** Returns the held text from `told` to `end`, with its invisible characters. */
  function show(end: number): string {
    let shown = "";
    for (const gap of gaps.filter(({ at }) => at <= end)) {
      shown += held.slice(told, Math.max(told, gap.at)) + gap.text;
      told = Math.max(told, gap.at);
    }
    gaps = gaps.filter(({ at }) => at > end);
    shown += held.slice(told, end);
    told = end;
    return shown;
  }

  function write(piece: string, end: TextEnd): string {
    const whole = carried + piece;
    carried = end === "open" ? (undecided.exec(whole)?.[0] ?? "") : "";
    const split = splitInvisible(whole.slice(0, whole.length - carried.length));
    gaps = [...gaps, ...split.gaps.map(({ at, text }) => ({ at: held.length + at, text }))];
    held += split.bare;
    let shown = "";
    const search = set.search(held, end);
    for (let from = 0; ;) {
      const found = search(from);
      const start = found?.start ?? held.length;
      if (start > told) last = "text";
      if (start >= told) shown += show(start);
      if (!found?.pattern) {
        held = held.slice(start);
        gaps = gaps.map(({ at, text }) => ({ at: at - start, text }));
        told -= start;
        return shown;
      }
      shown += cover(start, found.pattern);
      from = start + 1;
    }
  }

  return {
    get hasMasked() {
      return hasMasked;
    },
    write,
    end: (piece) => write(piece, "last"),
  };
}
