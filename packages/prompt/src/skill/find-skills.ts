import type { FileSearch, FolderEntry } from "../prompt-files.ts";
import { joinPath } from "../file/path.ts";
import type { SkillContext, SkillPolicy } from "../prompt-context.ts";
import { formatFault, type Skill, type SkillFault, skillFileMaxBytes, type SkillSurvey } from "./skill.ts";
import { readText } from "../file/read-text.ts";

/** How many SKILL.md files are read. */
const maxSkills = 200;

/** The skills that count, by name. Faults of the others are warnings, never errors. */
export async function findSkills(
  search: FileSearch,
  context: SkillContext,
  folders: readonly string[],
): Promise<readonly Skill[]> {
  const survey = await surveySkillFolders(search, context, folders);
  const { skills, faults, untrusted } = survey;
  for (const fault of faults) search.warn(formatFault(fault));
  if (untrusted.length > 0 && context.skillPolicy.projectTrust === null) search.warn(explainTrust(survey, context));
  return skills.filter(({ isEnabled }) => isEnabled).map(({ skill }) => skill);
}

/**
 * Looks at all skills: of the project (in each of its `folders`, the innermost first), of `$CODEX_HOME` and of the
 * user. Of several with one name the first in that order counts. The skills of an untrusted project are found but not
 * read.
 */
export async function surveySkillFolders(
  search: FileSearch,
  context: SkillContext,
  folders: readonly string[],
): Promise<SkillSurvey> {
  const { skillPolicy } = context;
  const ofUser = [joinPath(context.codexHome, "skills"), joinPath(context.homeDirectory, ".agents/skills")];
  const ofProject = folders
    .toReversed()
    .flatMap((folder) => [joinPath(folder, ".codex/skills"), joinPath(folder, ".agents/skills")])
    .filter((root) => !ofUser.includes(root)); // the user works at home
  const isTrusted = skillPolicy.projectTrust === "trusted";
  const paths = await findSkillFiles(search, isTrusted ? [...ofProject, ...ofUser] : ofUser);
  const untrusted = isTrusted ? [] : await findSkillFiles({ ...search, warn: () => {} }, ofProject);
  if (paths.length > maxSkills) search.warn(`Only the first ${maxSkills} of ${paths.length} skills are used.`);

  const skills = new Map<string, Skill>();
  const faults: SkillFault[] = [];
  for (const path of paths.slice(0, maxSkills)) {
    const read = await readSkill(search, path);
    faults.push(...read.faults);
    const { skill } = read;
    const first = skill === null ? undefined : skills.get(skill.name);
    if (skill !== null && first === undefined) skills.set(skill.name, skill);
    if (first !== undefined) faults.push(toDuplicate(path, first));
  }
  const byName = [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills: byName.map((skill) => ({ skill, isEnabled: isEnabled(skill, skillPolicy) })), faults, untrusted };
}

function isEnabled({ name, path }: Skill, { rules }: SkillPolicy): boolean {
  const folder = path.replace(/\/SKILL\.md$/u, "");
  const rule = rules.findLast((each) =>
    "name" in each ? each.name === name : [path, folder].includes(each.path.replace(/\/+$/u, "")),
  );
  return rule?.isEnabled ?? true;
}

function toDuplicate(path: string, first: Skill): SkillFault {
  const problem = `a skill named \`${first.name}\` is already there (${first.path}): rename one of them`;
  return { path, place: null, problem, isSkipped: true };
}

function explainTrust({ untrusted }: SkillSurvey, { projectRoot, cwd, codexHome }: SkillContext): string {
  const root = projectRoot ?? cwd;
  const key = `projects.${JSON.stringify(root)}.trust_level`;
  const config = joinPath(codexHome, "config.toml");
  const count = untrusted.length === 1 ? "The skill" : `The ${untrusted.length} skills`;
  const verb = untrusted.length === 1 ? "is" : "are";
  return `${count} of the project ${root} ${verb} not read, because you have not trusted this project yet. Put ${key} = "trusted" at the top of ${config} to use them, or "untrusted" to hide this notice.`;
}

/** How many folders deep below a root skills are looked for. */
const maxDepth = 6;
/** How many folders are looked into below each root. */
const maxFolders = 1000;

interface PendingFolder {
  readonly path: string;
  readonly depth: number;
}

/**
 * The SKILL.md files below the roots: root by root, in code-unit order of their paths. Files inside a skill's own
 * folder belong to that skill, unless the folder is the root. Hidden folders and `node_modules` are skipped. Links are
 * followed, but no folder is looked into twice, so roots may overlap or be links to each other.
 */
async function findSkillFiles(search: FileSearch, roots: readonly string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const root of roots) found.push(...(await findBelow(search, root, seen)));
  return found;
}

async function findBelow(search: FileSearch, root: string, seen: Set<string>): Promise<readonly string[]> {
  const found: string[] = [];
  const limit = seen.size + maxFolders;
  const pending: PendingFolder[] = [{ path: root, depth: 0 }];
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    const listing = await search.files.list(folder.path);
    if (listing.type === "unreadable") search.warn(`Cannot look for skills in ${folder.path}: ${listing.reason}.`);
    if (listing.type !== "listed" || seen.has(listing.realPath)) continue;
    if (seen.size === limit) {
      search.warn(`Skills below ${root} were looked for in the first ${maxFolders} folders only.`);
      break;
    }
    seen.add(listing.realPath);
    const isSkill = listing.entries.some((entry) => entry.name === "SKILL.md" && entry.type === "file");
    if (isSkill) found.push(joinPath(folder.path, "SKILL.md"));
    if (folder.depth === 0 || (!isSkill && folder.depth < maxDepth))
      pending.push(...subfolders(folder, listing.entries));
  }
  return found.sort();
}

function subfolders(folder: PendingFolder, entries: readonly FolderEntry[]): readonly PendingFolder[] {
  return entries
    .filter((entry) => entry.type === "folder" && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ path: joinPath(folder.path, name), depth: folder.depth + 1 }));
}

interface SkillRead {
  /** Null: it is gone, or there is a fault that says why. */
  readonly skill: Skill | null;
  readonly faults: readonly SkillFault[];
}

/** Reads the front matter of a SKILL.md, and looks at the size of its text. */
async function readSkill(search: FileSearch, path: string): Promise<SkillRead> {
  const read = await readText(search.files, path, skillFileMaxBytes);
  switch (read.type) {
    case "missing":
      return { skill: null, faults: [] };
    case "unreadable":
      return toSkipped(path, `it cannot be read: ${read.reason}`);
    case "unusable":
      return toSkipped(path, `it ${read.reason}`);
    case "text": {
      const { parseSkill } = await import("./parse-skill.ts"); // with YAML and zod: only where there are skills
      const { skill, fault } = parseSkill(path, read.text);
      const isLong = read.bytes < read.size;
      return { skill, faults: [...(fault === null ? [] : [fault]), ...(isLong ? [toLongFile(path, read)] : [])] };
    }
  }
}

function toSkipped(path: string, problem: string): SkillRead {
  return { skill: null, faults: [{ path, place: null, problem, isSkipped: true }] };
}

function toLongFile(path: string, { bytes, size }: { readonly bytes: number; readonly size: number }): SkillFault {
  const problem = `only the first ${bytes} of ${size} bytes are used: move details to files beside it`;
  return { path, place: null, problem, isSkipped: false };
}
