import { type Findings, findFaults } from "../check/find-faults.ts";
import { configSchema } from "../keys/config-schema.ts";
import type { ConfigTable } from "../keys/config-table.ts";
import type { Table } from "../toml/table.ts";

/** A table of nothing but right values of known keys, or what keeps it from being one. */
export function parseConfigTable(table: Table): { readonly table: ConfigTable } | Findings {
  const findings = findFaults(table, configSchema());
  return findings.faults.length + findings.unknown.length === 0 ? { table: table as ConfigTable } : findings;
}
