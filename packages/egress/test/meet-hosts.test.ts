import { hasTighterHosts, judgeHost, meetHosts, parseHostPattern, readHostRules } from "@unroll/egress";
import type { HostLists } from "@unroll/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";

const name = fc.constantFrom("a.example", "b.example", "x.a.example", "y.x.a.example");
const pattern = fc
  .tuple(fc.constantFrom("", "*."), name, fc.constantFrom("", ":443", ":22"))
  .map((parts) => parts.join(""));
const lists = fc.record({ allow: fc.array(pattern, { maxLength: 4 }), deny: fc.array(pattern, { maxLength: 2 }) });
const target = fc.record({ host: name, port: fc.constantFrom(22, 443, 80) });

test("a host is among those of both lists exactly if each of them allows it", () => {
  fc.assert(
    fc.property(lists, lists, target, (one, other, host) => {
      const allows = (each: HostLists) => judgeHost(readHostRules(each), host).type === "allowed";
      expect(allows(meetHosts(one, other))).toBe(allows(one) && allows(other));
    }),
  );
});

test("tighter hosts are allowed by the wider lists, too", () => {
  fc.assert(
    fc.property(lists, lists, target, (one, other, host) => {
      const [inner, outer] = [readHostRules(one), readHostRules(other)];
      const isReached = hasTighterHosts(inner, outer) && judgeHost(inner, host).type === "allowed";
      expect(isReached && judgeHost(outer, host).type === "denied").toBe(false);
    }),
  );
});

test("a text that is not a pattern is an error, wherever it stands", () => {
  const wrong = fc.string().filter((text) => parseHostPattern(text).type === "refused");
  fc.assert(
    fc.property(wrong, (text) => {
      expect(() => readHostRules({ allow: [text], deny: [] })).toThrow(TypeError);
      expect(() => readHostRules({ allow: [], deny: [text] })).toThrow(TypeError);
    }),
  );
});
