export const instructionKeys = {
  title: "Instructions in files",
  keys: {
    project_doc_max_bytes: {
      kind: "count",
      default: 32_768,
      text: "how many bytes of AGENTS.md files are read for a project in total; `0`: none",
      member: "projectDocMaxBytes",
    },
    project_doc_fallback_filenames: {
      kind: "texts",
      default: [],
      text: "file names to read in folders without an AGENTS.md",
      weight: "light",
      member: "projectDocFallbackFilenames",
    },
  },
} as const;

export const skillKeys = {
  title: "Skills",
  intro:
    "[skills.md](skills.md) explains where skills are stored. A project's skills are read only if you trust the project.",
  keys: {
    "skills.include_instructions": {
      kind: "boolean",
      default: true,
      text: "whether the model gets the list of skills; without it, skills work only when you mention them (`$name`)",
      by: "user",
      member: "skills.isListed",
    },
    "skills.config": {
      kind: "skill-rules",
      default: [],
      text: "turns skills on and off. Each table has `enabled` and either `path` (a SKILL.md or its folder) or `name`; the last table for a skill wins",
      weight: "guard",
      by: "user",
    },
  },
} as const;
