import { parse } from "smol-toml";
import { ConfigError, type ConfigWarning } from "../config-error.ts";
import type { ConfigOverride } from "../config-sources.ts";
import { nestValue } from "../toml/table.ts";
import { checkLayer } from "./check-layer.ts";
import type { ConfigLayer, RawLayer } from "./config-layer.ts";
import { parseKey } from "./parse-key.ts";

/** One layer for each `-c key=value`. Throws `ConfigError` for a key that is none, or a wrong value. */
export function parseOverrides(overrides: readonly ConfigOverride[]): readonly ConfigLayer[] {
  return overrides.map((override) => {
    const layer = checkLayer(parseOverride(override));
    return { ...layer, warnings: [...layer.warnings, ...warnOfOpenQuote(override)] };
  });
}

/** Turns `a.b=value` into the table `{ a: { b: value } }`. A value that is not TOML is a string, as it stands. */
function parseOverride({ key, value, origin }: ConfigOverride): RawLayer {
  const path = parseKey(key);
  if (path === null) {
    throw new ConfigError({
      code: "override_invalid",
      message: `${JSON.stringify(key)} is not a key: expected a name, or names joined by dots like model_providers.local.base_url.`,
      origin: { type: "argument", name: origin },
    });
  }
  const parsed = parseValue(value);
  return {
    table: nestValue(path, parsed.value),
    locate: () => ({ type: "argument", name: origin }),
    isPlainText: () => parsed.isPlainText,
  };
}

/** A text that begins with a quote, and is no TOML, has lost its end. Other plain text is meant to be that. */
export function isOpenQuote(text: string): boolean {
  return /^["']/.test(text) && parseTomlValue(text) === null;
}

/** For a text that has lost its closing quote. */
function warnOfOpenQuote({ key, value, origin }: ConfigOverride): readonly ConfigWarning[] {
  if (!isOpenQuote(value)) return [];
  const message = `${origin}: the value of ${key} begins with a quote and is no TOML, so it is taken as it stands, with the quote.`;
  return [{ code: "value_plain", message, key, origin: { type: "argument", name: origin } }];
}

/** Null for a text that is not a single TOML value. */
export function parseTomlValue(text: string): { readonly value: unknown } | null {
  try {
    const table = parse(`value = ${text}`, { unsafeKeyBehaviour: "throw", integersAsBigInt: "asNeeded" });
    return Object.keys(table).length === 1 ? { value: table["value"] } : null;
  } catch {
    return null;
  }
}

function parseValue(text: string): { readonly value: unknown; readonly isPlainText: boolean } {
  const parsed = parseTomlValue(text);
  // What begins as TOML does, and is none, was probably meant to be.
  return parsed === null ? { value: text, isPlainText: /^["'[{]/.test(text) } : { ...parsed, isPlainText: false };
}
