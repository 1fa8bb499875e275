/** Reads an amount such as "12.50" or "7" as a whole number of cents. */
export function parseAmount(text) {
  const match = /^(\d+)(?:\.(\d{2}))?$/.exec(text);
  if (!match) throw new TypeError(`"${text}" is not an amount: write it like 12.50`);
  const [, units, cents = "00"] = match;
  return Number(units) * 100 + Number(cents);
}

/** Writes a whole number of cents as "12.50". */
export function formatAmount(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
