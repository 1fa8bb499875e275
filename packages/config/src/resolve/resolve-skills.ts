import type { SkillRule, SkillSettings } from "../resolved-config.ts";
import { defaults } from "../schema/defaults.ts";
import type { ResolveContext } from "./resolve-context.ts";
import { resolvePath } from "./resolve-path.ts";

export function resolveSkills(context: ResolveContext): SkillSettings {
  const {
    include_instructions: isListed = defaults["skills.include_instructions"],
    config = defaults["skills.config"],
  } = context.table.skills ?? {};
  const rules = config.flatMap(({ path, name, enabled: isEnabled }): SkillRule[] => {
    if (path !== undefined) return [{ isEnabled, path: resolvePath(context, "skills.config", path) }];
    return name === undefined ? [] : [{ isEnabled, name }];
  });
  return { isListed, rules };
}
