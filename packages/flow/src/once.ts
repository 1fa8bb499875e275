/** `make`, called when its value is first asked for. For what takes long to make, and is not always used. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
