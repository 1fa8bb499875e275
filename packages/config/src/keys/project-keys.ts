export const instructionKeys = {
  title: "Instructions in files",
  keys: {
    project_doc_max_bytes: {
      kind: "count",
      default: 32_768,
      text: "of all AGENTS.md of a project together; 0 reads none",
      weight: "light",
      member: "projectDocMaxBytes",
    },
    project_doc_fallback_filenames: {
      kind: "texts",
      default: [],
      text: "read where a folder has no AGENTS.md",
      weight: "light",
      member: "projectDocFallbackFilenames",
    },
  },
} as const;

export const skillKeys = {
  title: "Skills",
  intro: "[skills.md](skills.md) says where they lie. Those of a project are read where it is trusted.",
  keys: {
    "skills.include_instructions": {
      kind: "boolean",
      default: true,
      text: "whether the model is given the list of skills; without it they work by mention (`$name`)",
      by: "user",
      member: "skills.isListed",
    },
    "skills.config": {
      kind: "skill-rules",
      default: [],
      text: "turns skills off and on: each with `path` (of a SKILL.md or its folder) or `name`, and `enabled`; of several for one skill the last counts",
      weight: "guard",
      by: "user",
    },
  },
} as const;
