import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyParser, type InputEvent } from "@unroll/screen";

const encoder = new TextEncoder();

/** All events of these bytes, in as many reads; what is held back at the end is taken as it is. */
function read(...chunks: ReadonlyArray<string | Uint8Array>): InputEvent[] {
  const parser = createKeyParser();
  const events = chunks.flatMap((chunk) => parser.feed(typeof chunk === "string" ? encoder.encode(chunk) : chunk));
  return [...events, ...(parser.waitMs() === null ? [] : parser.flush())];
}

function names(...chunks: ReadonlyArray<string | Uint8Array>): string[] {
  return read(...chunks).map((event) => (event.type === "key" ? event.name : event.type));
}

test.each([
  ["typed text", "aÀ日 👩‍👩‍👧", ["a", "À", "日", "space", "👩‍👩‍👧"]],
  [
    "control keys",
    "\r\t\u007f\b\u0001\u0003\u0012\u0000\u001f\u001d\n",
    ["enter", "tab", "backspace", "ctrl+h", "ctrl+a", "ctrl+c", "ctrl+r", "ctrl+space", "ctrl+_", "ctrl+]", "ctrl+j"],
  ],
  ["arrows in both modes", "\u001b[A\u001bOB\u001b[H\u001bOF", ["up", "down", "home", "end"]],
  [
    "arrows with what is held",
    "\u001b[1;5C\u001b[1;3D\u001b[1;2A\u001b[1;8B",
    ["ctrl+right", "alt+left", "shift+up", "ctrl+alt+shift+down"],
  ],
  [
    "numbered keys",
    "\u001b[3~\u001b[5~\u001b[6~\u001b[3;5~\u001b[15~\u001b[24~\u001bOP\u001b[[A",
    ["delete", "pageup", "pagedown", "ctrl+delete", "f5", "f12", "f1", "f1"],
  ],
  [
    "alt and a key",
    "\u001bb\u001b\u007f\u001b\r\u001b.\u001b\u0012",
    ["alt+b", "alt+backspace", "alt+enter", "alt+.", "ctrl+alt+r"],
  ],
  ["shift+tab", "\u001b[Z", ["shift+tab"]],
  [
    "kitty's protocol",
    "\u001b[13;2u\u001b[27u\u001b[97;5u\u001b[97;7u\u001b[9;5u\u001b[127;3u\u001b[32u\u001b[57414;5u\u001b[57441u\u001b[97;1:3u",
    ["shift+enter", "escape", "ctrl+a", "ctrl+alt+a", "ctrl+tab", "alt+backspace", "space", "ctrl+enter"],
  ],
  ["kitty's protocol with the text", "\u001b[97:65;2;65u\u001b[233u\u001b[57400u", ["A", "é", "1"]],
  ["the locks change nothing", "\u001b[97;69u\u001b[1;129A", ["ctrl+a", "up"]],
  ["modifyOtherKeys", "\u001b[27;2;13~\u001b[27;5;47~\u001b[27;6;65~", ["shift+enter", "ctrl+/", "ctrl+shift+a"]],
  ["escape twice, and with an arrow", "\u001b\u001b\u001b[A", ["escape", "alt+up"]],
  [
    "sequences that mean nothing",
    "\u001b[?1;2;3y\u001b[38;5;1m\u001bP+r\u001b\\\u001b_Gi=1;OK\u001b\\\u001b[M !!a\u001b[<0;1;1Ma",
    ["a", "a"],
  ],
])("%s", (_, bytes, expected) => {
  expect(names(bytes)).toEqual(expected);
  expect(
    names(...bytes.split("\u001b").flatMap((piece, index) => (index === 0 ? [piece] : ["\u001b", piece]))),
  ).toEqual(expected);
});

test("a lone escape waits for more bytes, and is the key when none come", () => {
  const parser = createKeyParser();
  expect(parser.feed(encoder.encode("\u001b"))).toEqual([]);
  expect(parser.waitMs()).toBe(30);
  expect(parser.flush()).toEqual([{ type: "key", name: "escape", text: null }]);
  expect(parser.waitMs()).toBe(null);
  expect(names("\u001b[")).toEqual(["alt+["]);
  expect(names("\u001b]")).toEqual(["alt+]"]);
  expect(names("\u001bO")).toEqual(["alt+O"]);
});

test("a paste is one event, whole, wherever it is cut, with keys in it that do nothing", () => {
  const pasted = `one\r\ntwo\rthree\n\u001b[A\u0003${"x".repeat(5_000)}日本`;
  const bytes = encoder.encode(`a\u001b[200~${pasted}\u001b[201~b`);
  const expected: InputEvent[] = [
    { type: "key", name: "a", text: "a" },
    { type: "paste", text: pasted.replaceAll("\r\n", "\n").replaceAll("\r", "\n") },
    { type: "key", name: "b", text: "b" },
  ];
  expect(read(bytes)).toEqual(expected);
  for (const size of [1, 3, 7, 1024]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    expect(read(...chunks)).toEqual(expected);
  }
});

test("a paste whose end is lost ends after a while, and much text at once is a paste where nothing says so", () => {
  const parser = createKeyParser();
  expect(parser.feed(encoder.encode("\u001b[200~half\r"))).toEqual([]);
  expect(parser.waitMs()).toBe(5_000);
  expect(parser.flush()).toEqual([{ type: "paste", text: "half\n" }]);
  expect(read("y".repeat(1_000_000))).toEqual([{ type: "paste", text: "y".repeat(1_000_000) }]);
});

test("answers of the terminal are told apart from keys", () => {
  expect(
    read(
      "\u001b[12;40R\u001b]11;rgb:ffff/0000/8080\u001b\\\u001b]11;rgb:00/ff/00\u0007\u001bP>|kitty(0.36)\u001b\\\u001b[?62;4;22c\u001b[?1u\u001b[?997;2n\u001b[I\u001b[O",
    ),
  ).toEqual([
    { type: "reply.position", row: 12, column: 40 },
    { type: "reply.background", red: 1, green: 0, blue: 0x8080 / 0xffff },
    { type: "reply.background", red: 0, green: 1, blue: 0 },
    { type: "reply.version", version: "kitty(0.36)" },
    { type: "reply.attributes", attributes: [62, 4, 22] },
    { type: "reply.keyboard", tellsModifiers: true },
    { type: "reply.scheme", scheme: "light" },
    { type: "focus", isFocused: true },
    { type: "focus", isFocused: false },
  ]);
});

test("invalid UTF-8 is dropped, and characters that arrive in parts are joined", () => {
  expect(names(Uint8Array.of(0xff, 0x61, 0xc3, 0x28, 0x80))).toEqual(["a", "("]);
  expect(names(Uint8Array.of(0xe6, 0x97), Uint8Array.of(0xa5))).toEqual(["日"]);
});

test("no bytes break it, and where they are cut makes no difference", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .constantFrom(
        "\u001b",
        "\u001b[",
        "\u001b[200~",
        "\u001b[201~",
        "\u001b]11;",
        "\u001b\\",
        "\u001bO",
        "1;5",
        "u",
        "日",
        "\r",
      )
      .map((text) => encoder.encode(text)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(60), (pieces, cut) => {
      const bytes = Uint8Array.from(pieces.flatMap((each) => [...each]));
      const whole = read(bytes);
      expect(flatten(read(bytes.slice(0, cut), bytes.slice(cut)))).toBe(flatten(whole));
      expect(whole.filter((event) => event.type === "key" && /\p{Cc}/u.test(event.name))).toEqual([]);
    }),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 300) },
  );
});

/**
 * A mark that comes in another read than its letter is an event of its own, and the first line of a paste without brackets is typed
 * if its end comes in another read: the text is the same.
 */
function flatten(events: readonly InputEvent[]): string {
  return events
    .map((event) => {
      if ("text" in event && event.text !== null) return event.text;
      return (event.type === "key" && blanks[event.name]) || JSON.stringify(event);
    })
    .join("");
}

const blanks: Readonly<Record<string, string>> = { tab: "\t", "ctrl+j": "\n" };

test("several lines at once are one paste without its brackets, wherever they are cut", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `\tline ${index} é日`);
  for (const end of ["", "\r"]) {
    const bytes = encoder.encode(lines.join("\r") + end);
    const text = (lines.join("\r") + end).replaceAll("\r", "\n");
    expect(read(bytes)).toEqual([{ type: "paste", text }]);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const events = read(bytes.slice(0, cut), bytes.slice(cut));
      expect(events.filter((event) => event.type === "key" && event.name === "enter")).toEqual([]);
      expect(flatten(events)).toBe(text);
    }
  }
  expect(names("one\r\ntwo\r", "\u001b[A")).toEqual(["paste", "up"]);
  expect(names("one\rtwo\u0003")).toEqual(["paste", "ctrl+c"]);
});

test("Enter at the end of one line, or alone, is the key as soon as no text follows", () => {
  const parser = createKeyParser();
  expect(parser.feed(encoder.encode("hi\r")).map((event) => event.type === "key" && event.name)).toEqual(["h", "i"]);
  expect([parser.waitMs(), parser.isBurst()]).toEqual([3, true]);
  expect(parser.flush()).toEqual([{ type: "key", name: "enter", text: null }]);
  expect(parser.waitMs()).toBe(null);
  expect(parser.feed(encoder.encode("\r"))).toEqual([]);
  expect(parser.isBurst()).toBe(false);
  expect(parser.flush()).toHaveLength(1);
  expect(parser.feed(encoder.encode("a"))).toHaveLength(1);
  expect(names("\r\r", "\r")).toEqual(["enter", "enter", "enter"]);
  expect(names("one\r", "\u001b[5;3R", "two\r")).toEqual([
    "o",
    "n",
    "e",
    "enter",
    "reply.position",
    "t",
    "w",
    "o",
    "enter",
  ]);
});

const [escape, position] = ["\u001b", "\u001b[5;3R"];

test.each([
  ["before", escape + position, ["escape", "reply.position"]],
  ["behind", position + escape, ["reply.position", "escape"]],
  ["twice before", escape + escape + position, ["escape", "escape", "reply.position"]],
])("Escape %s the terminal's answer is read as both, wherever the bytes are split", (_, bytes, expected) => {
  expect(names(bytes)).toEqual(expected);
  for (let at = 1; at < bytes.length; at += 1) expect(names(bytes.slice(0, at), bytes.slice(at))).toEqual(expected);
  expect(names(...bytes.split(""))).toEqual(expected);
});

test("Escape is read although the rest of the answer behind it comes too late", () => {
  for (let at = 1; at < position.length; at += 1) {
    const parser = createKeyParser();
    const first = [...parser.feed(encoder.encode(escape + position.slice(0, at))), ...parser.flush()];
    expect(first[0]).toEqual({ type: "key", name: "escape", text: null });
  }
});
