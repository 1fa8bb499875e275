import type { CommandLimits, SandboxSettings } from "@unroll/protocol";

/**
 * The sandbox of a thread within that of its opener: no mode that reaches further, no network, no open `.git` and no folders for
 * temporary files that the opener has not, all that is hidden from it, and its limits. Which folders it works in is said by whoever
 * opens it. What is tight enough is given back as it is.
 */
export function tightenSandbox(own: SandboxSettings, opener: SandboxSettings): SandboxSettings {
  switch (opener.mode) {
    case "danger-full-access":
      return own;
    case "workspace-write": {
      const isOpen = own.mode === "danger-full-access";
      return hideMore(own, opener, {
        mode: isOpen ? "workspace-write" : own.mode,
        networkAccess: opener.networkAccess && (isOpen || own.networkAccess),
        git: isOpen || opener.git === "protected" ? opener.git : own.git,
        excludeSlashTmp: own.excludeSlashTmp || opener.excludeSlashTmp,
        excludeTmpdirEnvVar: own.excludeTmpdirEnvVar || opener.excludeTmpdirEnvVar,
      });
    }
    case "read-only":
      return hideMore(own, opener, { mode: "read-only" });
  }
}

function hideMore(own: SandboxSettings, opener: SandboxSettings, bounds: Partial<SandboxSettings>): SandboxSettings {
  return {
    ...own,
    ...bounds,
    denyRead: [...new Set([...own.denyRead, ...opener.denyRead])],
    allowWeaker: own.allowWeaker && opener.allowWeaker,
    limits: meetLimits(own.limits, opener.limits),
  };
}

function meetLimits(own: CommandLimits, opener: CommandLimits): CommandLimits {
  return {
    maxProcesses: meet(own.maxProcesses, opener.maxProcesses),
    maxMemoryMb: meet(own.maxMemoryMb, opener.maxMemoryMb),
    maxTotalMemoryMb: meet(own.maxTotalMemoryMb, opener.maxTotalMemoryMb),
  };
}

/** The smaller one. `most` is nearly all that there is, so a number counts before it. */
function meet<Limit extends number | "most" | null>(own: Limit, opener: Limit): Limit {
  if (own === null || opener === null) return own ?? opener;
  if (own === "most") return opener;
  return opener === "most" || own < opener ? own : opener;
}
