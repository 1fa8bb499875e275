import { parseHostPattern } from "@unroll/egress";
import { type HostLists, hostPresets } from "@unroll/protocol";

/** The first fault in lists of hosts, as a sentence; null: there is none. */
export function findHostFault({ allow, deny, ask = [] }: HostLists): string | null {
  const presets: readonly string[] = hostPresets;
  const faults = [...allow.filter((text) => !presets.includes(text)), ...deny, ...ask].flatMap((text) => {
    if (typeof text !== "string") return ["A host has to be text."];
    if (presets.includes(text)) return [`${text} is a preset, which can only be allowed. Name the hosts.`];
    const parsed = parseHostPattern(text);
    return parsed.type === "refused" ? [`${text} ${parsed.reason}.`] : [];
  });
  return faults[0] ?? null;
}
