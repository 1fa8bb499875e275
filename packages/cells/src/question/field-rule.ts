import type { FormField } from "@unroll/protocol";

/** The rule for an answer in words, with its bounds; empty: any text is valid. */
export function describeRule({ input }: FormField): string {
  switch (input.type) {
    case "choice":
      return input.isMultiple ? describeCount(input) : "a number";
    case "boolean":
      return "y or n";
    case "number": {
      const bounds = describeBounds(input.minimum, input.maximum);
      return `${input.isInteger ? "a whole number" : "a number"}${bounds === null ? "" : `, ${bounds}`}`;
    }
    case "text": {
      const bounds = describeBounds(input.minLength === 0 ? -Infinity : input.minLength, input.maxLength);
      const length = bounds === null ? [] : [`${bounds} ${bounds.endsWith(" 1") ? "character" : "characters"}`];
      const format = input.format === null ? [] : [formats[input.format]?.words ?? input.format];
      return [...format, ...length].join(", ");
    }
  }
}

function describeCount({ minItems, maxItems }: { readonly minItems: number; readonly maxItems: number }): string {
  const bounds = describeBounds(minItems === 0 ? -Infinity : minItems, maxItems);
  return `numbers, separated by commas${bounds === null ? "" : ` (${bounds})`}`;
}

/** Null: there are no bounds. */
function describeBounds(least: number, most: number): string | null {
  if (least === most) return `${least}`;
  if (Number.isFinite(least) && Number.isFinite(most)) return `from ${least} to ${most}`;
  if (Number.isFinite(most)) return `at most ${most}`;
  return Number.isFinite(least) ? `at least ${least}` : null;
}

/** Formats of the protocol: their words, and a test of a text (times: RFC 3339). */
const formats: Readonly<Record<string, { readonly words: string; readonly fits: (text: string) => boolean }>> = {
  email: { words: "an e-mail address", fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: {
    words: "an address with its scheme, such as https://example.com",
    fits: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
  },
  date: { words: "a date, such as 2026-01-31", fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text) },
  "date-time": {
    words: "a date and time, such as 2026-01-31T09:30:00Z",
    fits: (text) =>
      /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text) && isDay(text.slice(0, 10)),
  },
};

/** Whether a text can have this format. Unknown formats are left to the server to check. */
export function hasFormat(text: string, format: string | null): boolean {
  return format === null || (formats[format]?.fits(text) ?? true);
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
