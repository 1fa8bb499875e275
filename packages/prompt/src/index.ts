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
export { formatFault } from "./skill/skill.ts";
export { readProjectContext, surveySkills } from "./project-context.ts";
export { toUserItems } from "./to-user-items.ts";

export type { InitialPrompt, ProjectContext, ContextTexts } from "./initial-prompt.ts";
export type { PermissionFacts } from "./permissions/permission-facts.ts";
export type { LocalDay, PromptContext } from "./prompt-context.ts";
export type { PromptErrorCode } from "./prompt-error.ts";
export type { FileRead, FolderEntry, FolderRead, OpenedPromptFile, PromptFiles } from "./prompt-files.ts";
export type { Skill } from "./skill/skill.ts";
