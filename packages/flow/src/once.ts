/** `make`, called when its value is first asked for. For what takes long to make, and is not always used. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** The same for a value of a key: that of the last key is kept. */
export function onceFor<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let made: { readonly key: Key; readonly value: Value } | null = null;
  return (key) => {
    if (made === null || made.key !== key) made = { key, value: make(key) };
    return made.value;
  };
}
