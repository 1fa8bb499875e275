import type { SandboxReport } from "@unroll/protocol";

const names: Readonly<Record<SandboxReport["backend"], string>> = {
  bubblewrap: "bubblewrap",
  landlock: "the weaker one (Landlock)",
  seatbelt: "Seatbelt",
  none: "none; commands can do everything that you can",
  unavailable: "none works here; commands are refused",
};

/** `sandbox: the weaker one (Landlock), without file_modes, loopback` */
export function renderSandbox({ backend, lacks }: SandboxReport): string {
  const without = lacks.length === 0 ? "" : `, without ${lacks.join(", ")}`;
  return `sandbox: ${names[backend]}${without}`;
}
