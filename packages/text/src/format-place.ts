/** The place of a member in a value: `input[0].text`; empty for the whole value. */
export function formatPlace(path: readonly PropertyKey[]): string {
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return place.replace(/^\./, "");
}
