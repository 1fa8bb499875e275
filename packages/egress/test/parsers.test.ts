import fc from "fast-check";
import { expect, test } from "vitest";
import { readClientHello } from "../src/wire/client-hello.ts";
import { readSocksGreeting, readSocksRequest } from "../src/wire/socks.ts";
import { parseHostTarget } from "../src/host/host-pattern.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .uint8Array({ maxLength: 300 })
    .map((rest) => Uint8Array.of(22, 3, 1, rest.length >> 8, rest.length & 255, ...rest)),
  fc.uint8Array({ maxLength: 40 }).map((rest) => Uint8Array.of(5, 1, 0, 3, ...rest)),
);

test.for([
  ["ClientHello", readClientHello],
  ["greeting of SOCKS", readSocksGreeting],
  ["request of SOCKS", readSocksRequest],
] as const)("any bytes are read as a %s, are broken, or want more; what is read of a part stays so", ([, read]) => {
  fc.assert(
    fc.property(bytes, fc.nat(300), (all, length) => {
      const whole = read(Buffer.from(all));
      const part = read(Buffer.from(all.subarray(0, length)));
      expect(["incomplete", "broken", "found"]).toContain(whole.type);
      expect(part.type === "found" ? whole : part).toEqual(part);
    }),
  );
});

test("any text is one host and port in its one form, or none", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webAuthority(),
        fc.ipV6().map((ip) => `[${ip}]:1`),
      ),
      (text) => {
        const target = parseHostTarget(text);
        expect(target && parseHostTarget(`${target.host}:${target.port}`)).toEqual(target);
      },
    ),
  );
});

test("with an encrypted ClientHello, the outer name counts", () => {
  const sized = (bytes: Buffer, lengthBytes: number): Buffer => {
    const length = Buffer.alloc(lengthBytes);
    length.writeUIntBE(bytes.length, 0, lengthBytes);
    return Buffer.concat([length, bytes]);
  };
  const extension = (type: number, content: Buffer) =>
    Buffer.concat([Buffer.of(type >> 8, type & 255), sized(content, 2)]);
  const name = extension(0, sized(Buffer.concat([Buffer.of(0), sized(Buffer.from("outer.test"), 2)]), 2));
  // RFC 9849, 5: outer, HKDF-SHA256 with AES-128-GCM, config 42, a key, and the inner one that nobody can read.
  const encrypted = extension(
    0xfe0d,
    Buffer.concat([Buffer.of(0, 0, 1, 0, 1, 42), sized(Buffer.alloc(32, 7), 2), sized(Buffer.alloc(200, 9), 2)]),
  );
  const begin = Buffer.concat([Buffer.of(3, 3), Buffer.alloc(32), Buffer.of(0, 0, 2, 0x13, 1, 1, 0)]);
  for (const extensions of [
    [name, encrypted],
    [encrypted, name],
  ]) {
    const hello = Buffer.concat([begin, sized(Buffer.concat(extensions), 2)]);
    const record = sized(Buffer.concat([Buffer.of(1), sized(hello, 3)]), 2);
    const read = readClientHello(Buffer.concat([Buffer.of(22, 3, 1), record]));
    expect(read).toEqual({ type: "found", value: { serverName: "outer.test" }, length: 0 });
  }
});
