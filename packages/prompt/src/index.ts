export { readEnvironment } from "./fragment/environment.ts";
export { readPermissionFacts, toPermissionFacts } from "./permissions/permission-facts.ts";
export { PromptError } from "./prompt-error.ts";
export {
  renderEnvironmentChange,
  renderResponseFault,
  renderCutResponse,
  renderInterruption,
  renderPermissionsChange,
  renderRepetition,
  renderContextChange,
} from "./render-change.ts";
export { renderInitialPrompt } from "./render-initial-prompt.ts";
export { type FileFault, formatFault } from "./file/file-fault.ts";
export { readProjectContext, surveySkills } from "./project-context.ts";
export { findRoles, surveyRoles } from "./role/find-roles.ts";
export { toUserItems } from "./to-user-items.ts";

export type { InitialPrompt, ProjectContext, ContextTexts } from "./initial-prompt.ts";
export type { PermissionFacts } from "./permissions/permission-facts.ts";
export type { LocalDay, PromptContext, SkillContext } from "./prompt-context.ts";
export type { PromptErrorCode } from "./prompt-error.ts";
export type { FileRead, FolderEntry, FolderRead, OpenedPromptFile, PromptFiles } from "./prompt-files.ts";
export type { AgentRole, FoundRole, RoleSurvey } from "./role/role.ts";
export type { Skill } from "./skill/skill.ts";
