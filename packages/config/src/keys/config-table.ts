import type { ModelKeys, PermissionKeys, ProviderKeys, ServerKeys, TopKeys } from "./key-sections.ts";
import type { KindName, KindValues, ResolvedKind } from "./kinds.ts";

/** `config.toml` as it is written, by its keys' declarations. */
export interface ConfigTable extends SettingsTable {
  readonly profile?: string;
  readonly profiles?: Readonly<Record<string, SettingsTable>>;
  readonly projects?: Readonly<Record<string, ProjectTable>>;
}

type ProjectKey = "projects.*.trust_level" | "projects.*.sandbox_mode";

/** The settings that a profile can have. */
interface SettingsTable extends TableOf<Omit<TopKeys, "profile" | "profiles.*" | ProjectKey>> {
  readonly models?: Readonly<Record<string, ModelTable>>;
  readonly model_providers?: Readonly<Record<string, ProviderTable>>;
  readonly mcp_servers?: Readonly<Record<string, McpServerTable>>;
  readonly permissions?: Readonly<Record<string, PermissionTable>>;
}

/** A model in the catalogue or in `[models.NAME]`. A missing key has the family's value. */
export interface ModelTable extends TableOf<ModelKeys> {}

/** A model's price, in USD per million tokens. */
export type PriceTable = NonNullable<ModelTable["price"]>;

/** A family of models; also the name of its instructions. */
export type ModelFamilyId = KindOf<ModelKeys["family"]>;

/** Which server a provider is, or which server's requests it takes. */
export type PresetId = KindOf<ProviderKeys["preset"]>;

/** `[model_providers.ID]` */
export interface ProviderTable extends TableOf<ProviderKeys> {}

/** `[mcp_servers.ID]` as it is written in `config.toml`; times are in seconds. */
export interface McpServerTable extends TableOf<ServerKeys> {}

/** `[permissions.NAME]` */
export interface PermissionTable extends TableOf<PermissionKeys> {}

/** `[projects."PATH"]` */
export interface ProjectTable {
  readonly trust_level?: KindOf<TopKeys["projects.*.trust_level"]>;
  readonly sandbox_mode?: KindOf<TopKeys["projects.*.sandbox_mode"]>;
}

/** A provider of a server that runs models on this machine. */
export type LocalProviderId = KindOf<TopKeys["oss_provider"]>;

/**
 * The values of these keys as programs read them: each under the `member` of its declaration, null
 * if it is not set and has no default.
 */
export type Members<Keys> = Nested<{
  readonly [Key in keyof Keys as MemberOf<Keys[Key]>]:
    | ResolvedKind<KindIn<Keys[Key]>>
    | (Keys[Key] extends { readonly default: unknown } ? never : null);
}>;

type MemberOf<Declared> = Declared extends { readonly member: infer Name extends string } ? Name : never;
type KindIn<Declared> = Declared extends { readonly kind: infer Kind } ? Kind : never;

type KindOf<Declared> =
  KindIn<Declared> extends readonly (infer Word)[]
    ? Word
    : KindIn<Declared> extends infer Name extends KindName
      ? KindValues[Name]
      : never;

type Head<Name> = Name extends `${infer First}.${string}` ? First : Name & string;

type Below<Keys, First extends string> = {
  readonly [Name in keyof Keys as Name extends `${First}.${infer Rest}` ? Rest : never]: Keys[Name];
};

/** Dotted names as nested tables. */
type Nested<Keys> = {
  readonly [First in Head<keyof Keys>]: First extends keyof Keys ? Keys[First] : Nested<Below<Keys, First>>;
};

type Required<Keys> = {
  [Name in keyof Keys]: Keys[Name] extends { readonly required: true } ? Name : never;
}[keyof Keys];

/** The table with these keys, by dotted name. */
type TableOf<Keys> =
  Head<keyof Keys> extends "*"
    ? Readonly<Record<string, EntryOf<Keys, "*">>>
    : { readonly [First in Exclude<Head<keyof Keys>, Required<Keys>>]?: EntryOf<Keys, First> } & {
        readonly [First in Required<Keys> & Head<keyof Keys>]: EntryOf<Keys, First>;
      };

type EntryOf<Keys, First extends string> = First extends keyof Keys ? KindOf<Keys[First]> : TableOf<Below<Keys, First>>;
