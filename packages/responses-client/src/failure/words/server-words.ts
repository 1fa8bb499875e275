/** A server's description of its own error, in parts. */
export interface ServerWords {
  /** Null: it came within a stream that began with 200, or the caller knows none. */
  readonly status: number | null;
  /** Its message, without the request that it may repeat. */
  readonly text: string;
  /** The server's own code, else its type; null: neither. */
  readonly code: string | null;
  /** The members that it names, as it writes them. */
  readonly params: readonly string[];
  /** Numbers that it gives beside its words, by their names: `n_ctx`. */
  readonly numbers: Readonly<Record<string, number>>;
}

interface Said extends Pick<ServerWords, "code" | "params" | "numbers"> {
  readonly message: string | null;
}

/** Enough for what a server means: behind it stands what it repeats. */
const longestText = 4000;
/** pydantic shows what it refused: that is the request, and no word of the server. */
const repeated = /['"]?\binput(?:_value)?['"]?\s*[:=]\s*[{["']/;

/** `status` null: of an answer that began with 200. */
export function toServerWords({ message, ...said }: Said, status: number | null): ServerWords {
  const own = (message ?? "").split(repeated, 1)[0] ?? "";
  return { ...said, status, text: own.slice(0, longestText) };
}
