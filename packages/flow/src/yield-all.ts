/** Yields the values in order. If the reader leaves in between, `onLeft` gets those that it did not read. */
export function* yieldAll<Value>(
  values: readonly Value[],
  onLeft: (rest: readonly Value[]) => void,
): Generator<Value, void> {
  let read = 0;
  let isThrough = false;
  try {
    for (const value of values) {
      read += 1;
      yield value;
    }
    isThrough = true;
  } finally {
    if (!isThrough) onLeft(values.slice(read));
  }
}
