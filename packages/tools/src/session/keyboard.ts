/** The keyboard of a command's terminal, which may not exist yet. */
export interface Keyboard {
  /** Text typed since the last line was sent. */
  readonly unsent: UnsentText;
  /** Resolves when it is written. */
  readonly type: (text: string) => Promise<void>;
  /** The terminal is there. */
  readonly open: (write: (text: string) => void) => void;
  /** The command has ended, or never gets a terminal: what is typed goes nowhere. */
  readonly close: () => void;
}

export function createKeyboard(): Keyboard {
  const terminal = Promise.withResolvers<(text: string) => void>();
  let unsent: UnsentText = [];
  let isClosed = false;
  return {
    get unsent() {
      return unsent;
    },
    async type(text) {
      unsent = typeOn(unsent, text);
      const write = await terminal.promise;
      if (!isClosed) write(text);
    },
    open: terminal.resolve,
    close() {
      isClosed = true;
      terminal.resolve(() => {});
    },
  };
}

/**
 * Text typed at a terminal and not sent by Enter, in its pieces. They may no longer be on the line:
 * the running program may have read them as single keys.
 */
type UnsentText = readonly string[];

const interruptKey = "\u0003";
/** ^C, ^Z and ^\: signals, regardless of the line. */
const signalKeys = `${interruptKey}\u001A\u001C`;
/** ^D: on an empty line the end of the input. */
const endKey = "\u0004";

/** Whether what is typed sends no text, so that nothing can be run by it. */
export function sendsNothing(unsent: UnsentText, chars: string): boolean {
  const { before, text } = readKeys(unsent, chars);
  return text === "" || (before.length === 0 && /^[ \n]*$/.test(toLines(text)));
}

/**
 * The texts that a shell may get by `chars`, or by an Enter after them. First the whole line, then
 * the text if the earlier pieces are no longer on it.
 */
export function listSentTexts(unsent: UnsentText, chars: string): readonly [string, ...(readonly string[])] {
  const { before, text } = readKeys(unsent, chars);
  const pieces = [...before, text];
  const [whole = "", ...rest] = pieces.map((_, at) => toLines(pieces.slice(at).join("")));
  return [whole, ...new Set(rest.filter((each) => each.trim() !== "" && each !== whole))];
}

/** The unsent text after `chars` are typed, too. */
function typeOn(unsent: UnsentText, chars: string): UnsentText {
  const { before, text } = readKeys(unsent, chars);
  const sent = findEnd(before.join(""), text);
  const kept = sent > 0 ? [] : before;
  const rest = kept.length > 0 ? text : toLines(text.slice(sent));
  return /^ *$/.test(rest) && kept.length === 0 ? [] : [...kept, rest].filter((piece) => piece !== "");
}

/** Enter sends `\r`, and ^C clears the line. */
function readKeys(unsent: UnsentText, chars: string): { readonly before: UnsentText; readonly text: string } {
  const keys = skipKeys(chars, signalKeys);
  const isCleared = chars.slice(0, chars.length - keys.length).includes(interruptKey);
  return { before: isCleared ? [] : unsent, text: keys.replaceAll(/\r\n?/g, "\n") };
}

/** As a script: without control keys at the start of a line. */
function toLines(text: string): string {
  const lines = text.split("\n");
  return lines.map((line) => skipKeys(line, signalKeys + endKey)).join("\n");
}

/** Skips these keys at the beginning. */
function skipKeys(text: string, keys: string): string {
  let start = 0;
  while (start < text.length && keys.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** Behind the last Enter of `text` that no backslash takes back. */
function findEnd(before: string, text: string): number {
  const whole = before + text;
  for (let at = whole.length; at > before.length; at -= 1) {
    const backslashes = /\\*$/.exec(whole.slice(0, at - 1))?.[0].length ?? 0;
    if (whole[at - 1] === "\n" && backslashes % 2 === 0) return at - before.length;
  }
  return 0;
}
