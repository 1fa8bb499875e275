/** The one place where JSON text becomes a value of unknown shape. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text) as unknown;
}
