import type { Chance } from "../create-chance.ts";

/** Numbers and bytes that readers stumble over. */
const odd = [
  "0",
  "-1",
  "9007199254740993",
  "1e999",
  "\u0000",
  "\uFEFF",
  "\r",
  "\n",
  "\r\n",
  "\u2028",
  "\u{1F30D}",
  '"',
  "'",
  "\\",
  "\\u0000",
  "[",
  "{",
  "}",
  "]",
  "(",
  ")",
  ",",
  ":",
  "=",
  "#",
  "null",
  "true",
  "__proto__",
  "constructor",
  "[[[[[[[[[[[[[[[[",
  '{"a":{"a":{"a":',
];
const longest = 200_000;

/** One of the inputs, changed at a few places: bits, odd words, pieces left out, doubled, moved or taken from another one. */
export function mutate(inputs: readonly Uint8Array[], chance: Chance): Uint8Array {
  const pick = (): Buffer => Buffer.from(inputs[chance.below(inputs.length)] ?? []);
  let bytes = pick();
  for (let left = 1 + chance.below(chance.pick(2, 6, 20)); left > 0; left--) bytes = change(bytes, pick, chance);
  return bytes.subarray(0, longest);
}

function change(bytes: Buffer, pick: () => Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + chance.below(chance.pick(2, 16, 300)));
  const [before, piece, behind] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  const act = chance.pick("flip", "word", "word", "drop", "double", "many", "move", "splice", "line", "cut");
  switch (act) {
    case "flip": {
      const flipped = Buffer.from(bytes);
      const was = flipped[at];
      if (was !== undefined) flipped[at] = was ^ (1 << chance.below(8));
      return flipped;
    }
    case "word":
      return Buffer.concat([
        before,
        Buffer.from(chance.pick("", ...odd)),
        chance.happens(0.5) ? behind : piece,
        behind,
      ]);
    case "drop":
      return Buffer.concat([before, behind]);
    case "double":
      return Buffer.concat([before, piece, piece, behind]);
    case "many":
      return Buffer.concat([before, ...Array.from({ length: chance.below(400) }, () => piece.subarray(0, 20)), behind]);
    case "move":
      return Buffer.concat([behind, piece, before]);
    case "splice": {
      const other = pick();
      const from = chance.below(other.length + 1);
      return Buffer.concat([before, other.subarray(from, from + chance.below(2000)), behind]);
    }
    case "line": {
      const lines = bytes.toString("latin1").split("\n");
      const [line = ""] = lines.splice(chance.below(lines.length), 1);
      lines.splice(chance.below(lines.length + 1), 0, line, ...(chance.happens(0.5) ? [line] : []));
      return Buffer.from(lines.join("\n"), "latin1");
    }
    case "cut":
      return bytes.subarray(0, at);
  }
}
