import { ConfigError } from "../config-error.ts";
import type { ResolvedConfig } from "../resolved-config.ts";
import { builtInProfiles, resolveProfile } from "./permission-profile.ts";

type ProfileConfig = Pick<ResolvedConfig, "cwd" | "permissionProfiles" | "origins">;

/**
 * The sandbox settings of a permission profile in the config's folder, as a change of a thread's
 * settings. Throws `ConfigError`: `profile_unknown` for an unknown name, `value_invalid` for a profile that the
 * sandbox cannot keep exactly.
 */
export function findPermissions(
  { cwd, permissionProfiles, origins }: ProfileConfig,
  name: string,
): Pick<ResolvedConfig, "sandboxSettings" | "permissionProfile"> {
  const origin = { type: "argument", name: "permissions" } as const;
  return {
    sandboxSettings: resolveProfile(name, permissionProfiles, { cwd, origins, origin }),
    permissionProfile: name,
  };
}

/** A permission profile that a client can select. */
interface ListedProfile {
  readonly name: string;
  readonly description: string | null;
  /** Why it cannot be used; null: it can. */
  readonly fault: string | null;
}

/** The built-in profiles, and those of the config. */
export function listPermissionProfiles(config: ProfileConfig): readonly ListedProfile[] {
  const { tables } = config.permissionProfiles;
  return [...Object.keys(builtInProfiles), ...Object.keys(tables)].map((name) => {
    return { name, description: tables[name]?.description ?? null, fault: findFault(config, name) };
  });
}

function findFault(config: ProfileConfig, name: string): string | null {
  try {
    findPermissions(config, name);
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
