import { mkdirSync, mkdtempDisposableSync, readdirSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sweepGroups, toGroupName } from "../../src/group/sweep-groups.ts";
import { whyNoGroup } from "../fixture/groups.ts";

it.skipIf(whyNoGroup !== null)("only groups are swept whose harness is known to have gone a while ago", () => {
  using parent = mkdtempDisposableSync(join(tmpdir(), "unroll-sweep-"));
  const anHourAgo = Date.now() / 1_000 - 3_600;
  const make = (name: string, within = ""): void => {
    mkdirSync(join(parent.path, name, within), { recursive: true });
    if (name !== young) utimesSync(join(parent.path, name), anHourAgo, anHourAgo);
  };
  const [, , space = ""] = toGroupName("").split("-");
  const [young, ofAnother] = [`unroll-1-${space}-1-young`, "unroll-1-1-1-elsewhere"];
  const [own, unrelated, made] = [toGroupName("own"), "user.slice", toGroupName("made")];
  for (const name of [young, ofAnother, own, unrelated, `unroll-1-${space}-1-left`]) make(name);
  make(`unroll-1-${space}-1-around`, "container");
  mkdirSync(join(parent.path, made));
  sweepGroups(join(parent.path, made));
  expect(new Set(readdirSync(parent.path))).toEqual(new Set([young, ofAnother, own, unrelated, made]));
});
