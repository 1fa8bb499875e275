import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findUserShell } from "@unroll/harness";
import type { CommandRun } from "../../run-command.ts";
import { type Finding, toFinding } from "../finding.ts";

/** Looks for the programs and settings that the model's commands usually need. A run starts without them. */
export async function checkTools({ host }: Pick<CommandRun, "host">): Promise<readonly Finding[]> {
  const { env } = host;
  const folders = (env["PATH"] ?? "").split(":").filter(isAbsolute);
  const lacks = (name: string): boolean => !folders.some((folder) => existsSync(join(folder, name)));
  const { name: shell } = await findUserShell(host, false);
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  const missing = [
    ...(shell === "sh" ? ["bash"] : []),
    ...(lacks("git") ? ["git"] : []),
    ...(lacks("rg") ? ["ripgrep"] : []),
  ];
  const isUtf8 = /utf-?8/i.test(locale);
  if (missing.length === 0 && isUtf8)
    return [toFinding("tools", "ok", `Commands run in ${shell}; git and rg are there.`)];
  const words = [
    `Commands run in ${shell}.`,
    ...(missing.length === 0 ? [] : [`Not on PATH: ${missing.join(", ")}.`]),
    ...(isUtf8 ? [] : ["No locale with UTF-8 is set, so programs may garble text that is not ASCII."]),
  ];
  const names = missing.join(" ");
  const remedies = [
    ...(missing.length === 0
      ? []
      : [`Install them: apt-get install ${names}, apk add ${names} or dnf install ${names}.`]),
    ...(isUtf8 ? [] : ["Set LANG=C.UTF-8."]),
  ];
  return [{ ...toFinding("tools", "warning", words.join(" ")), remedy: remedies.join(" ") }];
}
