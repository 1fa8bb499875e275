/** Pulls a generator to its end; gives what it returns. */
export async function drain<Return>(generator: AsyncGenerator<unknown, Return>): Promise<Return> {
  for (;;) {
    const next = await generator.next();
    if (next.done === true) return next.value;
  }
}

/**
 * Pulls a generator to its end, one `run` after the other; gives what it returns, which a `for await` would drop. Where
 * `run` throws, the generator is ended first.
 */
export async function forEach<Value, Return>(
  generator: AsyncGenerator<Value, Return>,
  run: (value: Value) => void | Promise<void>,
): Promise<Return> {
  try {
    for (;;) {
      const next = await generator.next();
      if (next.done === true) return next.value;
      await run(next.value);
    }
  } finally {
    await generator[Symbol.asyncDispose]();
  }
}
