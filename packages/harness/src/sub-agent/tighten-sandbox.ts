import { meetHosts } from "@unroll/egress";
import type { CommandLimits, HostLists, SandboxSettings } from "@unroll/protocol";

/**
 * Limits a thread's sandbox to that of its parent: no wider mode, no network, writable `.git` or
 * temporary folders that the parent does not have, everything hidden that is hidden from the
 * parent, and its limits. The parent decides in which folders the thread works. Settings that are
 * tight enough are returned unchanged.
 */
export function tightenSandbox(own: SandboxSettings, opener: SandboxSettings): SandboxSettings {
  switch (opener.mode) {
    case "danger-full-access":
      return own;
    case "workspace-write": {
      const isOpen = own.mode === "danger-full-access";
      const { hosts: wanted = null, ...rest } = own;
      const hosts = tightenHosts(isOpen || own.networkAccess, wanted, opener);
      return hideMore(rest, opener, {
        mode: isOpen ? "workspace-write" : own.mode,
        networkAccess: opener.networkAccess && (isOpen || own.networkAccess),
        ...(hosts && { hosts }),
        git: isOpen || opener.git === "protected" ? opener.git : own.git,
        excludeSlashTmp: own.excludeSlashTmp || opener.excludeSlashTmp,
        excludeTmpdirEnvVar: own.excludeTmpdirEnvVar || opener.excludeTmpdirEnvVar,
      });
    }
    case "read-only":
      return hideMore(own, opener, { mode: "read-only" });
  }
}

/** Null: the network is open or closed as a whole. */
function tightenHosts(isOpen: boolean, wanted: HostLists | null, opener: SandboxSettings): HostLists | null {
  if (opener.hosts === undefined) return opener.networkAccess ? wanted : null;
  if (wanted === null) return isOpen ? opener.hosts : null;
  return meetHosts(wanted, opener.hosts);
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

/** The smaller one. `most` is nearly everything, so a number is smaller. */
function meet<Limit extends number | "most" | null>(own: Limit, opener: Limit): Limit {
  if (own === null || opener === null) return own ?? opener;
  if (own === "most") return opener;
  return opener === "most" || own < opener ? own : opener;
}
