/**
 * Calls `make` when its value is first needed, and remembers it. For values that are slow to make
 * and not always used.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
