import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { findStateFolder, probeSandbox } from "@unroll/sandbox";

const policy = {
  mode: "read-only",
  networkAccess: false,
  writableRoots: [],
  excludeSlashTmp: false,
  excludeTmpdirEnvVar: false,
  git: "writable",
  denyRead: [],
  allowWeaker: false,
} as const;
const environment = { PATH: process.env["PATH"] ?? "" };
const place = { policy, workspace: tmpdir(), stateFolder: findStateFolder(tmpdir()), environment };

/** Whether the real sandbox can be had here. Tests that need it are skipped without; `tooling/announce-skips.ts` says why. */
export const hasSandbox: boolean = (await probeSandbox({ ...place, createId: randomUUID })).type === "bubblewrap";
