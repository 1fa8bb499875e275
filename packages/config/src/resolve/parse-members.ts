import type { Members } from "../keys/config-table.ts";
import type { KeyDeclaration } from "../keys/key-declaration.ts";
import { keySections, type TopKeys } from "../keys/key-sections.ts";
import { kinds } from "../keys/kinds.ts";
import { formatKey, type KeyPath, mergeTables, nestValue, valueAt } from "../toml/table.ts";
import { type ResolveContext, resolvePath } from "./resolve-context.ts";

type Declarations = Readonly<Record<string, KeyDeclaration>>;

/** A table of the config, and where it stands. */
interface PlacedTable {
  readonly table: object;
  readonly path: KeyPath;
}

/** The values of the top-level keys that programs read unchanged. */
export function parseTopMembers(context: ResolveContext): Members<TopKeys> {
  const keys = keySections.filter(({ table }) => table === undefined).map((section) => section.keys);
  return readMembers(
    Object.assign({}, ...keys) as Declarations,
    { table: context.table, path: [] },
    context,
  ) as Members<TopKeys>;
}

/** The same of a table of free names: `keys` are those of its section. */
export function parseMembers<Keys extends Declarations>(
  keys: Keys,
  placed: PlacedTable,
  context: ResolveContext,
): Members<Keys> {
  return readMembers(keys, placed, context) as Members<Keys>;
}

function readMembers(keys: Declarations, { table, path }: PlacedTable, context: ResolveContext): object {
  return Object.entries(keys).reduce((members, [name, declaration]) => {
    if (declaration.member === undefined) return members;
    const parts = name.split(".");
    const value = valueAt({ ...table }, parts) ?? declaration.default ?? null;
    const resolve = (each: string): string => resolvePath(context, formatKey([...path, ...parts]), each);
    return mergeTables(members, nestValue(declaration.member.split("."), convert(value, declaration, resolve)));
  }, {});
}

/** Converts a value for programs. */
function convert(value: unknown, { kind }: KeyDeclaration, toAbsolute: (path: string) => string): unknown {
  const { isPath, zero, unit } = typeof kind === "string" ? kinds[kind] : {};
  if (isPath && typeof value === "string") return toAbsolute(value);
  if (isPath && Array.isArray(value)) return value.map(String).map(toAbsolute);
  if (typeof value !== "number") return value;
  return value === 0 && zero === "none" ? null : unit === "seconds" ? Math.round(value * 1000) : value;
}
