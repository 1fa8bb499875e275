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
