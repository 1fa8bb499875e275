import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile } from "@unroll/config";
import type { RuleSet } from "@unroll/exec-policy";
import { FileLockError, waitForLock } from "@unroll/files";
import { type Clock, createSerialQueue } from "@unroll/flow";
import type { HostLists } from "@unroll/protocol";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { ApprovalError } from "../approval-error.ts";
import type { RuleStore } from "../rule-store.ts";

/** The file that "always allow" writes to, as the Codex CLI has it. */
const ownFile = "default.rules";
/** Between two tries to have its lock, in ms. */
const retryMs = 20;
/** As long as a lock is waited for, in ms: to add a rule takes milliseconds. */
const patienceMs = 5000;

interface RuleBookOptions {
  readonly isIgnored: boolean;
  readonly clock: Pick<Clock, "elapsed" | "sleep">;
}

/**
 * Reads `rules/*.rules` of `codexHome`, unless they are ignored; none is fine. Throws `ApprovalError` `invalid_rules`
 * with file, line and column: unreadable rules must not be ignored, because some of them forbid.
 */
export async function openRuleStore(codexHome: string, { isIgnored, clock }: RuleBookOptions): Promise<RuleStore> {
  const folder = join(codexHome, "rules");
  const files = (isIgnored ? [] : await listFolder(folder)).filter((name) => name.endsWith(".rules")).toSorted();
  let rules = files.length === 0 ? null : await readRules(files.map((name) => join(folder, name)));
  let hosts = rules === null ? noHosts : (await import("@unroll/exec-policy")).toHostLists(rules.networkRules);
  /** Each adds to what the one before it wrote. */
  const writing = createSerialQueue();

  async function addRules(added: readonly string[], signal: AbortSignal): Promise<void> {
    const { appendRule, mergeRules, toHostLists } = await import("@unroll/exec-policy");
    const file = join(folder, ownFile);
    await mkdir(folder, { recursive: true });
    using _lock = await lockFile(file, clock, signal);
    const { default: writeFileAtomic } = await import("write-file-atomic");
    await writeFileAtomic(
      file,
      added.reduce((text, rule) => appendRule(text, rule), await readText(file)),
    );
    rules = mergeRules([...(rules ? [rules] : []), await parse(added.join("\n"), file)]);
    hosts = toHostLists(rules.networkRules);
  }

  return {
    get rules() {
      return rules;
    },
    get hosts() {
      return hosts;
    },
    async allowPrefix({ prefix, env }, signal) {
      const { renderPrefixRule } = await import("@unroll/exec-policy");
      await writing.run(() => addRules([renderPrefixRule(prefix, env)], signal));
    },
    async allowHosts(hosts, signal) {
      const { renderNetworkRule } = await import("@unroll/exec-policy");
      await writing.run(() => addRules(hosts.map(renderNetworkRule), signal));
    },
  };
}

const noHosts: HostLists = { allow: [], deny: [] };

/** Against other processes that add a rule. Null: the file system has no locks. */
async function lockFile(
  file: string,
  clock: RuleBookOptions["clock"],
  signal: AbortSignal,
): Promise<Disposable | null> {
  const lock = `${file}.lock`;
  try {
    const began = clock.elapsed();
    const held = await waitForLock(lock, async () => {
      await clock.sleep(retryMs, signal);
      return !signal.aborted && clock.elapsed() - began < patienceMs;
    });
    if (held !== null) return held;
  } catch (error) {
    if (error instanceof FileLockError && error.code === "no_locks") return null;
    throw error;
  }
  throw new ApprovalError("invalid_rules", `${file}: another process is changing it. Nothing was changed.`);
}

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw new ApprovalError("invalid_rules", `${folder}: cannot be read: ${describeSystemError(error)}.`, {
      cause: error,
    });
  }
}

async function readRules(files: readonly string[]): Promise<RuleSet> {
  const { mergeRules } = await import("@unroll/exec-policy");
  return mergeRules(await Promise.all(files.map(async (file) => parse(await readText(file), file))));
}

async function readText(file: string): Promise<string> {
  try {
    return new TextDecoder().decode(await readRegularFile(file));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return "";
    throw new ApprovalError("invalid_rules", `${file}: cannot be read: ${describeSystemError(error)}.`, {
      cause: error,
    });
  }
}

async function parse(text: string, file: string): Promise<RuleSet> {
  const { formatRulesError, parseRules } = await import("@unroll/exec-policy");
  const parsed = parseRules(text, file);
  if (parsed.type === "rules.parsed") return parsed.rules;
  const [first] = parsed.errors;
  throw new ApprovalError("invalid_rules", first ? formatRulesError(first) : `${file}: not a rules file.`);
}
