import { fromNative, toNative } from "@unroll/files";
import { anyCharacter } from "@unroll/text/fixture/any-character";
import fc from "fast-check";
import { expect, it } from "vitest";

it("no byte is lost on the way to a string and back", () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc
      .array(
        fc.oneof(
          fc.string({ unit: anyCharacter }).map((text) => Buffer.from(text)),
          fc.uint8Array(),
        ),
      )
      .map((parts) => Buffer.concat(parts)),
  );
  fc.assert(fc.property(bytes, (each) => Buffer.from(toNative(fromNative(Buffer.from(each)))).equals(each)));
});

it("a path is the same whether it was read whole or by its names", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (names) => {
      const paths = names.map((name) => Buffer.from(name.filter((byte) => byte !== 0x2f)));
      const whole = Buffer.from(paths.map((name) => name.toString("latin1")).join("/"), "latin1");
      expect(fromNative(whole)).toBe(paths.map(fromNative).join("/"));
    }),
  );
});

it("valid names stay as they are, of others only the bytes that are not UTF-8 change", () => {
  expect(fromNative(Buffer.from("é😀/a"))).toBe("é😀/a");
  expect(fromNative(Buffer.from([0xc3, 0xa9, 0xff, 0x2f, 0xe2, 0x82]))).toBe("é\udcff/\udce2\udc82");
});
