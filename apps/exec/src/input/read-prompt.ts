import { buffer } from "node:stream/consumers";
import { addAbortSignal, type Readable } from "node:stream";
import { type InputStream, ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";

/** A prompt beyond this does not fit any model. */
const maxStdinBytes = 10 * 1024 * 1024;
/** How long a pipe may stay silent before we look whether somebody will write to it, in ms. */
const silenceMs = 1000;

export interface ReadPrompt {
  readonly text: string;
  /** For stderr; absent where there is nothing to say. */
  readonly notice?: string;
}

export interface PromptArgument {
  /** Null: there is none. */
  readonly argument: string | null;
  /** A hint for the message that there is no prompt. */
  readonly hint: string;
  /** Takes a sentence for a person while stdin is waited for. */
  readonly tell: (text: string) => void;
}

/**
 * The prompt from the argument, from stdin (`-` or no argument), or both: then stdin follows as a `<stdin>` block. With
 * an argument, a pipe that stays silent is left alone where nobody but those who started us can write to it: programs start
 * us with an open pipe that they never write to. `a | b` waits for `a`, however long that takes.
 * Throws `ProgramError` where there is no prompt, and an `AbortError` when `signal` stops the reading.
 */
export async function readPrompt(
  { argument, hint, tell }: PromptArgument,
  stdin: InputStream,
  signal: AbortSignal,
): Promise<ReadPrompt> {
  const source = addAbortSignal(signal, stdin.stream);
  const reading = { ...stdin, stream: source };
  const prompt =
    argument === null || argument === "-" ? await readOnly(reading, hint) : await readBoth(argument, reading, tell);
  if (prompt.text.trim() === "") {
    throw new ProgramError("input", `The prompt is empty: give it as an argument, or on stdin with -.${hint}`);
  }
  return prompt;
}

async function readOnly(stdin: InputStream, hint: string): Promise<ReadPrompt> {
  if (stdin.kind === "terminal") {
    throw new ProgramError("input", `There is no prompt: give it as an argument (unroll exec "…") or on stdin.${hint}`);
  }
  try {
    return { text: await readAll(stdin.stream) };
  } catch (error) {
    if (error instanceof ProgramError || isAbort(error)) throw error;
    throw new ProgramError(
      "input",
      `stdin cannot be read (${describeSystemError(error)}): give the prompt as an argument.`,
      {
        cause: error,
      },
    );
  }
}

async function readBoth(argument: string, stdin: InputStream, tell: PromptArgument["tell"]): Promise<ReadPrompt> {
  if (argument.trim() === "" || stdin.kind === "terminal") return { text: argument };
  try {
    if (stdin.kind === "silent" && !(await speaks(stdin, tell))) {
      stdin.stream.destroy();
      return { text: argument, notice: silenceNotice };
    }
    const text = await readAll(stdin.stream);
    return { text: text.trim() === "" ? argument : `${argument}\n\n<stdin>\n${text.trimEnd()}\n</stdin>` };
  } catch (error) {
    if (error instanceof ProgramError || isAbort(error)) throw error;
    return { text: argument, notice: `stdin cannot be read (${describeSystemError(error)}), so it was ignored.` };
  }
}

const silenceNotice =
  "stdin is open but empty for 1 s, so it was ignored. Close it (</dev/null), or pipe a file into it.";

/** Whether data or the end comes: for as long as somebody can write, or before the silence is too long. */
async function speaks(
  { stream, hasWriter = () => false }: InputStream,
  tell: (text: string) => void,
): Promise<boolean> {
  let isTold = false;
  while (!(await speaksSoon(stream))) {
    if (!hasWriter()) return false;
    if (!isTold) tell("Waiting for piped input on stdin; use </dev/null to ignore it.");
    isTold = true;
  }
  return true;
}

async function speaksSoon(stream: Readable): Promise<boolean> {
  if (stream.readableEnded || stream.readableLength > 0) return true;
  const heard = Promise.withResolvers<boolean>();
  let turn: NodeJS.Immediate | undefined;
  // It may be we who are late: what has come by then is read first.
  const timer = setTimeout(() => (turn = setImmediate(() => heard.resolve(false))), silenceMs);
  const hear = (): void => heard.resolve(true);
  stream.once("readable", hear);
  stream.once("error", hear);
  try {
    return await heard.promise;
  } finally {
    clearTimeout(timer);
    clearImmediate(turn);
    stream.off("readable", hear);
    stream.off("error", hear);
  }
}

async function readAll(stream: Readable): Promise<string> {
  const bytes = await buffer(limit(stream));
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

async function* limit(stream: Readable): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : toBytes(chunk);
    total += bytes.length;
    if (total > maxStdinBytes) {
      throw new ProgramError(
        "input",
        "stdin is larger than 10 MiB: put it into a file and name the file in the prompt.",
      );
    }
    yield bytes;
  }
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new ProgramError("input", "stdin is not a byte stream.");
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
