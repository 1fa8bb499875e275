import { formatRulesError, judgeCommand, parseRules } from "@unroll/exec-policy";
import { demand, type FuzzTarget } from "../fuzz-target.ts";

const commands = [["git", "push"], ["ls"], ["/usr/bin/env", "npm", "test"], ["bash", "-c", "rm -rf / && x"]];
const context = { cwd: "/home/ana/project", home: "/home/ana" };

/** Rules are read or refused, and what refuses them is at a place of the file; rules that were read judge any command. */
export function openRulesTarget(): FuzzTarget {
  return {
    async check(bytes) {
      const text = Buffer.from(bytes).toString("utf8");
      const parsed = parseRules(text, "fuzz.rules");
      if (parsed.type === "rules.parsed") {
        for (const argv of commands) judgeCommand({ argv }, parsed.rules, context);
        return;
      }
      const lines = text.split(/\r\n|\r|\n/).length;
      demand(parsed.errors.length > 0, "refused without an error");
      for (const error of parsed.errors) {
        demand(
          error.line >= 1 && error.line <= lines && error.column >= 1,
          `no such place: ${formatRulesError(error)}`,
        );
      }
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
