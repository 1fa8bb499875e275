import { formatFault } from "../file/file-fault.ts";
import { foldersDownTo, joinPath } from "../file/path.ts";
import {
  explainTrust,
  type FileSurveyRead,
  type ReadText,
  surveyFiles,
  type SurveyedKind,
} from "../file/survey-files.ts";
import { checkContext } from "../project-context.ts";
import type { SkillContext } from "../prompt-context.ts";
import type { FileSearch, PromptFiles } from "../prompt-files.ts";
import { builtInRoles } from "./built-in-roles.ts";
import type { FileRole, FoundRole, RoleSurvey } from "./role.ts";

/** Looks at all roles that a thread in this context would have, and at what is wrong with any. */
export async function surveyRoles(
  context: SkillContext,
  files: PromptFiles,
): Promise<RoleSurvey & { readonly warnings: readonly string[] }> {
  checkContext("surveyRoles", context, files);
  const { cwd, projectRoot, codexHome, homeDirectory, skillPolicy } = context;
  const warnings: string[] = [];
  const search: FileSearch = { files, warn: (warning) => warnings.push(warning) };
  const folders = foldersDownTo(cwd, projectRoot).toReversed();
  const { items, ...others } = await surveyFiles(search, skillPolicy.projectTrust, {
    ...kind,
    ofProject: folders.flatMap((folder) => [joinPath(folder, ".codex/agents"), joinPath(folder, ".claude/agents")]),
    ofUser: [joinPath(codexHome, "agents"), joinPath(homeDirectory, ".claude/agents")],
  });
  const builtIn = builtInRoles.filter(({ name }) => !items.some((role) => role.name === name));
  return { roles: [...items, ...builtIn], ...others, warnings };
}

/** The roles of a thread, and warnings about those that are left out. */
export async function findRoles(
  context: SkillContext,
  files: PromptFiles,
): Promise<{ readonly roles: readonly FoundRole[]; readonly warnings: readonly string[] }> {
  const { roles, faults, untrusted, warnings } = await surveyRoles(context, files);
  const isOpen = untrusted.length > 0 && context.skillPolicy.projectTrust === null;
  const left = faults.filter(({ isSkipped }) => isSkipped).map((fault) => formatFault(fault, "role"));
  return { roles, warnings: [...warnings, ...left, ...(isOpen ? [explainTrust(untrusted, kind, context)] : [])] };
}

const kind = {
  singular: "role",
  plural: "roles",
  maxFiles: 100,
  maxBytes: 64 * 1024,
  // a README is none
  isWanted: (path: string) =>
    path.includes("/.claude/agents/") ? /(?<!\/README)\.md$/iu.test(path) : path.endsWith(".toml"),
  ownsFolder: false,
  parse: async (path: string, read: ReadText): Promise<FileSurveyRead<FileRole>> => {
    const { parseRole } = await import("./parse-role.ts"); // with TOML and YAML: only where there are roles
    return parseRole(path, read);
  },
} as const satisfies Partial<SurveyedKind<FileRole>>;
