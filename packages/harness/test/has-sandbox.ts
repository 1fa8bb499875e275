import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { findStateFolder, probeSandbox, type SandboxBackend } from "@unroll/sandbox";

const policy = {
  mode: "read-only",
  network: { type: "closed" },
  hidden: [],
  allowWeaker: false,
  limits: { maxProcesses: null, maxMemoryMb: null },
} as const;
const environment = { PATH: process.env["PATH"] ?? "" };
const place = { policy, cwd: tmpdir(), stateFolder: findStateFolder(tmpdir()), environment };

/** What there is here. */
export const sandboxBackend: SandboxBackend = await probeSandbox({ ...place, createId: randomUUID });

/** Whether the real sandbox can be had here. Tests that need it are skipped without; `tooling/announce-skips.ts` says why. */
export const hasSandbox: boolean = sandboxBackend.type === "bubblewrap";
