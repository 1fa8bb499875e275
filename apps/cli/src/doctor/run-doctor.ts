import { resolveCodexHome } from "@unroll/config";
import { untilAborted } from "@unroll/flow";
import { exitCodes, needsDemoModel, type ProcessIo, type ProgramFlags, toProgramFailure } from "@unroll/program";
import type { CommandRun } from "../run-command.ts";
import { checkCertificates } from "./check/check-certificates.ts";
import { checkConfig } from "./check/check-config.ts";
import { checkCredential } from "./check/check-credential.ts";
import { checkNode, checkSandbox, checkTerminal, checkThreads } from "./check/check-machine.ts";
import { checkProvider, checkWindow } from "./check/check-provider.ts";
import { checkTools } from "./check/check-tools.ts";
import { checkLocalServers, checkMcp } from "./check/check-servers.ts";
import type { ConfiguredRun } from "./check/configured-run.ts";
import { type Finding, renderFinding, toFinding } from "./finding.ts";
import { countNouns } from "@unroll/text";

/** The flags of `unroll doctor`. */
export interface DoctorFlags extends ProgramFlags {
  readonly json?: boolean;
}

/** Returns the exit code: 0, or 1 if something that was asked for cannot work. Throws for a command line that cannot be read. */
export async function runDoctor({ json, ...flags }: DoctorFlags, run: CommandRun): Promise<number> {
  const { columns, write, printJson } = run;
  const found: Finding[] = [];
  for await (const finding of runChecks(flags, run)) {
    found.push(finding);
    if (!json) await write(renderFinding(finding, columns));
  }
  const ok = found.every(({ state }) => state !== "failed");
  await (json ? printJson({ ok, checks: found }) : write(summarise(found)));
  return ok ? exitCodes.completed : exitCodes.failed;
}

/** All run side by side; what they find comes in their order. After an abort nothing comes, and nothing is left running. */
async function* runChecks(flags: ProgramFlags, run: CommandRun): AsyncGenerator<Finding, void> {
  const { io, signal } = run;
  const { config, findings } = await checkConfig(flags, run);
  const running = [
    settle("node", () => checkNode(run)),
    settle("terminal", () => checkTerminal(run)),
    settle("tools", () => checkTools(run)),
    Promise.resolve(findings),
    settle("certs", () => checkCertificates(config, io.env)),
    ...(config === null ? skipConfigured(io) : await startConfigured({ ...run, flags, config })),
  ];
  for (const each of running) yield* (await untilAborted(each, signal)) ?? [];
  await Promise.all(running);
}

async function startConfigured(run: Omit<ConfiguredRun, "isDemo">): Promise<readonly Promise<readonly Finding[]>[]> {
  const isDemo = await needsDemoModel(run.config, run.host).catch(() => false); // the check of the login tells why
  const configured: ConfiguredRun = { ...run, isDemo };
  const auth = settle("auth", () => checkCredential(configured));
  return [
    settle("sandbox", () => checkSandbox(configured)),
    settle("threads", () => checkKeptThreads(configured)),
    auth,
    settle("provider", () => checkProviderAfter(auth, configured)),
    settle("local", () => checkLocalServers(configured)),
    settle("mcp", () => checkMcp(configured)),
  ];
}

async function checkProviderAfter(auth: Promise<readonly Finding[]>, run: ConfiguredRun): Promise<readonly Finding[]> {
  if ((await auth).every(({ state }) => state !== "failed")) return checkProviderAndWindow(run);
  return [
    toFinding("provider", "skipped", `Not contacted ${run.config.provider.name}: there is no working credential.`),
  ];
}

async function checkProviderAndWindow(run: ConfiguredRun): Promise<readonly Finding[]> {
  const found = await checkProvider(run);
  const answers = found.some(({ state }) => state === "ok" || state === "warning");
  return answers ? [...found, ...(await checkWindow(run))] : found;
}

async function checkKeptThreads({ config, io }: ConfiguredRun): Promise<readonly Finding[]> {
  if (config.historyPersistence === "save-all") return checkThreads(config.codexHome, io);
  return [toFinding("threads", "skipped", "Threads are not saved: history.persistence is none.")];
}

function skipConfigured(io: ProcessIo): readonly Promise<readonly Finding[]>[] {
  const skip = (check: string): Finding => toFinding(check, "skipped", "Not checked: the config has errors.");
  return [
    settle("threads", () => checkThreads(resolveCodexHome(io.env, io.cwd), io)),
    Promise.resolve(["sandbox", "auth", "provider", "local", "mcp"].map(skip)),
  ];
}

/** Turns an error that a check throws into its finding. */
async function settle(check: string, run: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await run();
  } catch (thrown) {
    return [toFinding(check, "failed", toProgramFailure(thrown).error.message)];
  }
}

function summarise(found: readonly Finding[]): string {
  const count = (state: Finding["state"]): number => found.filter((each) => each.state === state).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  if (failed > 0) return `${countNouns(failed, "check")} failed.`;
  return warnings === 0 ? "Everything works." : `Everything works, with ${countNouns(warnings, "warning")}.`;
}
