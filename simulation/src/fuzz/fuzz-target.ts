/** A reader of untrusted bytes, and what has to hold whatever they are. */
export interface FuzzTarget extends AsyncDisposable {
  /** Throws if a law is broken; other results of the bytes are ignored. */
  check(bytes: Uint8Array): Promise<void>;
}

/** Throws an `Error` with this message unless `holds`. */
export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
