/**
 * Yields, for each value of a generator, what is made of it: none, one or many; returns what the generator returns. Each
 * is pulled before the next one is asked for, and leaving early ends the generator.
 */
export function flatMap<Value, Item, Return>(
  generator: AsyncGenerator<Value, Return>,
  toItems: (value: Value) => Iterable<Item>,
): AsyncGenerator<Item, Return> {
  return new FlatMap(generator, toItems);
}

/** By hand: what an async generator does for each item is a third of what a small event of a model costs. */
class FlatMap<Value, Item, Return> implements AsyncGenerator<Item, Return> {
  readonly #generator: AsyncGenerator<Value, Return>;
  readonly #toItems: (value: Value) => Iterable<Item>;
  #items: Iterator<Item, unknown> | null = null;
  /** Settles, and never fails, when the last of the calls is over that have to wait for each other; null: there is none. */
  #last: Promise<unknown> | null = null;

  constructor(generator: AsyncGenerator<Value, Return>, toItems: (value: Value) => Iterable<Item>) {
    this.#generator = generator;
    this.#toItems = toItems;
  }

  next(): Promise<IteratorResult<Item, Return>> {
    if (this.#last !== null || this.#items === null) return this.#enqueue(() => this.#pull());
    try {
      const item = this.#items.next();
      if (item.done !== true) return Promise.resolve({ done: false, value: item.value });
    } catch (error) {
      return this.throw(error);
    }
    this.#items = null;
    return this.#enqueue(() => this.#pull());
  }

  return(value: Return | PromiseLike<Return>): Promise<IteratorResult<Item, Return>> {
    return this.#enqueue(async () => {
      await this.#end();
      return { done: true, value: await value };
    });
  }

  throw(error: unknown): Promise<IteratorResult<Item, Return>> {
    return this.#enqueue(async () => {
      await this.#end();
      throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#enqueue(() => this.#end());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #pull(): Promise<IteratorResult<Item, Return>> {
    try {
      for (;;) {
        const item = this.#items?.next();
        if (item !== undefined && item.done !== true) return { done: false, value: item.value };
        this.#items = null;
        const next = await this.#generator.next();
        if (next.done === true) return next;
        this.#items = this.#toItems(next.value)[Symbol.iterator]();
      }
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  async #end(): Promise<void> {
    const items = this.#items;
    this.#items = null;
    try {
      items?.return?.();
    } finally {
      await this.#generator[Symbol.asyncDispose]();
    }
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last === null ? work() : this.#last.then(work);
    const last = result.then(ignore, ignore);
    this.#last = last;
    void last.then(() => {
      if (this.#last === last) this.#last = null;
    });
    return result;
  }
}

function ignore(): void {}
