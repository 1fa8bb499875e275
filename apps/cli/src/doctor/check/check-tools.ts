import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findUserShell } from "@unroll/harness";
import { findSystemProgram, runProgram } from "@unroll/process-tree";
import type { CommandRun } from "../../run-command.ts";
import { type Finding, toFinding } from "../finding.ts";

/** Looks for the programs and settings that the model's commands usually need. A run starts without them. */
export async function checkTools({ host }: Pick<CommandRun, "host">): Promise<readonly Finding[]> {
  const { env } = host;
  const folders = (env["PATH"] ?? "").split(":").filter(isAbsolute);
  const lacks = (name: string): boolean => !folders.some((folder) => existsSync(join(folder, name)));
  const { name: shell } = await findUserShell(host, false);
  const missing = [
    ...(shell === "sh" ? ["bash"] : []),
    ...(lacks("git") ? ["git"] : []),
    ...(lacks("rg") ? ["ripgrep"] : []),
  ];
  const fault = await findLocaleFault(env);
  if (missing.length === 0 && fault === null)
    return [toFinding("tools", "ok", `Commands run in ${shell}; git and rg are there.`)];
  const words = [
    `Commands run in ${shell}.`,
    ...(missing.length === 0 ? [] : [`Not on PATH: ${missing.join(", ")}.`]),
    ...(fault === null ? [] : [`${fault.what}, so programs may garble text that is not ASCII.`]),
  ];
  const names = missing.join(" ");
  const remedies = [
    ...(missing.length === 0
      ? []
      : [
          `Install ${missing.length === 1 ? "it" : "them"}: apt-get install ${names}, apk add ${names} or dnf install ${names}.`,
        ]),
    ...(fault === null ? [] : [`Set ${fault.variable}=C.UTF-8.`]),
  ];
  return [{ ...toFinding("tools", "warning", words.join(" ")), remedy: remedies.join(" ") }];
}

interface LocaleFault {
  readonly what: string;
  /** The one that decides. */
  readonly variable: string;
}

/** Null: programs read and write UTF-8, as far as the name of the locale and the system's `locale` (if there is one) say. */
async function findLocaleFault(env: Readonly<Record<string, string | undefined>>): Promise<LocaleFault | null> {
  const variable = ["LC_ALL", "LC_CTYPE"].find((name) => env[name]) ?? "LANG";
  const locale = env[variable] ?? "";
  if (!isUtf8.test(locale)) return { what: "No locale with UTF-8 is set", variable };
  const program = findSystemProgram("locale");
  const settings = { env: { [variable]: locale }, timeout: 5_000, maxBytes: 10_000 };
  const charmap = program === null ? null : await runProgram(program, ["charmap"], settings);
  if (charmap?.code !== 0 || isUtf8.test(charmap.stdout.toString())) return null;
  return { what: `The locale ${locale} of ${variable} is not installed`, variable };
}

const isUtf8 = /utf-?8/i;
