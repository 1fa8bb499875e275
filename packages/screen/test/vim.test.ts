import { expect, test } from "vitest";
import {
  type Composer,
  type ComposerContext,
  createKeyParser,
  emptyComposer,
  pressKey,
  replaceText,
  switchVim,
} from "@unroll/screen";

const context: ComposerContext = { columns: 40, maxRows: 6, history: [{ text: "from the history", images: [] }] };

/** The composer after these keys: text is typed, `<name>` is a key by its name. */
function type(keys: string, from: Composer): Composer {
  const events = keys
    .split(/(<[^>]+>)/)
    .filter((piece) => piece !== "")
    .flatMap((piece) => {
      const name = /^<(.+)>$/.exec(piece)?.[1];
      return name === undefined
        ? createKeyParser().feed(new TextEncoder().encode(piece))
        : [{ type: "key" as const, name, text: null }];
    });
  return events.reduce((composer, event) => {
    if (event.type !== "key") throw new Error("a key was expected");
    return pressKey(composer, event, context).composer;
  }, from);
}

/** Presses keys in normal mode, in a text with a bar for the caret. The result begins with `I` in insert mode. */
function edit(shown: string, keys: string): string {
  const caret = shown.indexOf("|");
  const composer = { ...switchVim(replaceText(emptyComposer, shown.replace("|", "")), true), caret };
  const normal = { ...composer, vim: composer.vim && ({ ...composer.vim, mode: "normal" } as const) };
  const { text, caret: at, vim } = type(keys, normal);
  return `${vim?.mode === "insert" ? "I " : ""}${text.slice(0, at)}|${text.slice(at)}`;
}

test.each([
  // motions
  ["|one two", "l", "o|ne two"],
  ["one| two", "h", "on|e two"],
  ["on|e\ntwo", "l", "on|e\ntwo"],
  ["|one, two", "w", "one|, two"],
  ["|one, two", "2w", "one, |two"],
  ["|one two", "e", "on|e two"],
  ["on|e two", "e", "one tw|o"],
  ["one tw|o", "b", "one |two"],
  ["one tw|o", "2b", "|one two"],
  ["  one tw|o", "0", "|  one two"],
  ["  one tw|o", "^", "  |one two"],
  ["|one\ntwo", "$", "on|e\ntwo"],
  ["one\ntwo\nth|ree", "gg", "|one\ntwo\nthree"],
  ["|one\ntwo\n  three", "G", "one\ntwo\n  |three"],
  ["|one\ntwo\nthree", "2G", "one\n|two\nthree"],
  ["o|ne\ntwo\nthree", "j", "one\nt|wo\nthree"],
  ["one\nt|wo", "k", "o|ne\ntwo"],
  ["|a-b-c-d", "f-", "a|-b-c-d"],
  ["|a-b-c-d", "f-;", "a-b|-c-d"],
  ["|a-b-c-d", "2f-,", "a|-b-c-d"],
  ["|a-b-c-d", "t-", "|a-b-c-d"],
  ["|ab-c-d", "t-;", "ab-|c-d"],
  ["a-b-c|-d", "F-", "a-b|-c-d"],
  ["a-b-cc|-d", "T-", "a-b-|cc-d"],
  ["|日本 語", "l", "日|本 語"],
  ["|👩‍👩‍👧x y", "l", "👩‍👩‍👧|x y"],
  // insert
  ["o|ne", "iX", "I oX|ne"],
  ["o|ne", "aX", "I onX|e"],
  ["on|e", "aX<escape>", "one|X"],
  ["  on|e", "IX", "I   X|one"],
  ["|one\ntwo", "AX", "I oneX|\ntwo"],
  ["|one\ntwo", "oX", "I one\nX|\ntwo"],
  ["one\nt|wo", "OX", "I one\nX|\ntwo"],
  ["|one", "A!<escape>", "one|!"],
  // deletion and change
  ["o|ne", "x", "o|e"],
  ["on|e", "3x", "o|n"],
  ["on|e", "X", "o|e"],
  ["one |two three", "D", "one| "],
  ["one |two\nthree", "d$", "one| \nthree"],
  ["one |two", "CX", "I one X|"],
  ["|one\ntwo\nthree", "dd", "|two\nthree"],
  ["one\nt|wo", "dd", "|one"],
  ["|one\ntwo\nthree", "2dd", "|three"],
  ["|one\ntwo\nthree", "dj", "|three"],
  ["one\ntwo\nt|hree", "dgg", "|"],
  ["one\n  t|wo", "ccX", "I one\nX|"],
  ["|one two", "dw", "|two"],
  ["|one two three", "d2w", "|three"],
  ["one |two\nthree", "dw", "one| \nthree"],
  ["|one two", "cwX", "I X| two"],
  ["|a two", "cwX", "I X| two"],
  ["one tw|o", "db", "one |o"],
  ["|one two", "de", "| two"],
  ["one t|wo three", "diw", "one | three"],
  ["one t|wo three", "daw", "one |three"],
  ["one t|wo three", "ciwX", "I one X| three"],
  ["|a, b; c", "df;", "| c"],
  ["|a, b; c", "ct;X", "I X|; c"],
  ["|one", "sX", "I X|ne"],
  // yank and put
  ["|one\ntwo", "yyp", "one\n|one\ntwo"],
  ["one\nt|wo", "yyP", "one\n|two\ntwo"],
  ["|one\ntwo", "ddp", "two\n|one"],
  ["|one two", "yw$p", "one twoone| "],
  ["|ab", "xp", "b|a"],
  ["|ab", "x3p", "baa|a"],
  ["o|ne two", "yiwP", "on|eone two"],
  // undo and the rest
  ["|one two", "dwu", "|one two"],
  ["|one two", "dwu<ctrl+r>", "|two"],
  ["|abc", "xxuu<ctrl+r>", "|bc"],
  ["|abc", "rX", "|Xbc"],
  ["|abc", "2rX", "X|Xc"],
  ["a|bc", "9rX", "a|bc"],
  ["|aBc", "~~~", "Ab|C"],
  ["|one\n  two", "J", "one| two"],
  ["|one", "dq", "|one"],
  ["|one two", "d<escape>w", "one |two"],
  ["|one", "Z", "|one"],
  ["|one two", "10l", "one tw|o"],
  ["one| two", "<backspace>", "on|e two"],
  ["|one", "<right><right><right>", "on|e"],
  // selections
  ["|one two", "vd", "|ne two"],
  ["|one two", "vwd", "|wo"],
  ["|one two", "v2ly", "|one two"],
  ["one t|wo", "vbd", "one |o"],
  ["|one two", "vkx", "|ne two"],
  ["|one two", "vecX", "I X| two"],
  ["one t|wo three", "viwd", "one | three"],
  ["one t|wo three", "vawy$p", "one two threetwo| "],
  ["|one two", "vlolox", "o|e two"],
  ["|oNe two", "ve~", "|OnE two"],
  ["|oNe two", "veU", "|ONE two"],
  ["|ONE two", "veu", "|one two"],
  ["|one two", "verx", "|xxx two"],
  ["|one\ntwo", "vjrx", "|xxx\nxwo"],
  ["|one\ntwo\nthree", "vjd", "|wo\nthree"],
  ["o|ne\ntwo\nthree", "Vd", "|two\nthree"],
  ["o|ne\ntwo\nthree", "Vjd", "|three"],
  ["o|ne\ntwo\nthree", "vjD", "|three"],
  ["one\nt|wo\nthree", "VkcX", "I X|\nthree"],
  ["one\nt|wo", "VyP", "one\n|two\ntwo"],
  ["|one\ntwo\nthree", "VjU", "|ONE\nTWO\nthree"],
  ["|one\ntwo\nthree", "VGJ", "one two| three"],
  ["|one two", "yiwwvep", "one |one"],
  ["|one\ntwo", "yiwjVp", "one\n|one"],
  ["|one two", "vvdw", "|two"],
  ["|one\ntwo", "vVd", "|two"],
  ["|one two", "ve<escape>x", "on| two"],
  ["|one two", "vq", "|one two"],
  ["|👩‍👩‍👧x y", "vld", "| y"],
  // the last change again
  ["|one two three", "dw.", "|three"],
  ["|one two three four", "dw2.", "|four"],
  ["|one two", "cwX<escape>w.", "X |X"],
  ["|one\ntwo", "A!<escape>j.", "one!\ntwo|!"],
  ["|one\ntwo", "oX<escape>j.", "one\nX\ntwo\n|X"],
  ["|a\nb\nc\nd", "dd.", "|c\nd"],
  ["|abcdef", "vld.", "|ef"],
  ["|abcd", "x.u.", "|cd"],
  ["|abcd", "rXl.", "X|Xcd"],
  ["|abcd", "ywx.", "|cd"],
  ["|abcd", "~..", "ABC|d"],
  ["|abc", ".", "|abc"],
])("%j and %s in normal mode give %j", (shown, keys, expected) => {
  expect(edit(shown, keys)).toBe(expected);
});

test("Escape leaves insert mode, and then means nothing to Vim; k in the first line recalls the history", () => {
  const writing = type("hello", switchVim(emptyComposer, true));
  const escape = { type: "key", name: "escape", text: null } as const;
  const first = pressKey(writing, escape, context);
  expect(first.effect).toBe(null);
  expect([first.composer.vim?.mode, first.composer.caret]).toEqual(["normal", 4]);
  expect(pressKey(first.composer, escape, context).effect).toEqual({ type: "unhandled" });
  expect(type("k", first.composer).text).toBe("from the history");
  expect(type("kj", first.composer).text).toBe("hello");
});

test("Enter sends in both modes, and the next message begins in insert mode; off, nothing is left of it", () => {
  const enter = { type: "key", name: "enter", text: null } as const;
  for (const keys of ["hello", "hello<escape>"]) {
    const { composer, effect } = pressKey(type(keys, switchVim(emptyComposer, true)), enter, context);
    expect(effect).toMatchObject({ type: "submitted", submission: { text: "hello" } });
    expect(composer.vim?.mode).toBe("insert");
  }
  const off = switchVim(type("a<escape>", switchVim(emptyComposer, true)), false);
  expect(type("dd", off).text).toBe("dda");
});
