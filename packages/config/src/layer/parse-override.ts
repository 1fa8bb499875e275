import { parse } from "smol-toml";
import { ConfigError } from "../config-error.ts";
import type { ConfigOverride } from "../config-sources.ts";
import { nestValue } from "../toml/table.ts";
import { checkLayer } from "./check-layer.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { parseKey } from "./parse-key.ts";

/** One layer for each `-c key=value`. Throws `ConfigError` for an unknown key or a wrong value. */
export function parseOverrides(overrides: readonly ConfigOverride[]): readonly ConfigLayer[] {
  return overrides.map(parseOverride);
}

/** Turns `a.b=value` into the table `{ a: { b: value } }`. */
function parseOverride({ key, value: text, origin: name }: ConfigOverride): ConfigLayer {
  const origin = { type: "argument", name } as const;
  const path = parseKey(key);
  if (path === null) {
    throw new ConfigError({
      code: "override_invalid",
      message: `${JSON.stringify(key)} is not a key: expected a name, or names joined by dots like model_providers.local.base_url.`,
      origin,
    });
  }
  const { value, isPlainText, isOpenQuote } = parseTypedValue(text);
  const layer = checkLayer({ table: nestValue(path, value), locate: () => origin, isPlainText });
  if (!isOpenQuote) return layer;
  const message = `${name}: the value of ${key} starts with a quote but is not valid TOML, so it is used as a string, with the quote.`;
  return { ...layer, warnings: [...layer.warnings, { code: "value_plain", message, key, origin }] };
}

/** A value that somebody typed. */
interface TypedValue {
  readonly value: unknown;
  /** It begins as TOML does and is none, so it was probably meant to be. */
  readonly isPlainText: boolean;
  /** It begins with a quote that nothing closes. */
  readonly isOpenQuote: boolean;
}

/** A text that is not a single TOML value stands for itself. */
export function parseTypedValue(text: string): TypedValue {
  try {
    const table = parse(`value = ${text}`, { unsafeKeyBehaviour: "throw", integersAsBigInt: "asNeeded" });
    if (Object.keys(table).length === 1) return { value: table["value"], isPlainText: false, isOpenQuote: false };
  } catch {
    // it is not TOML
  }
  return { value: text, isPlainText: /^["'[{]/.test(text), isOpenQuote: /^["']/.test(text) };
}
