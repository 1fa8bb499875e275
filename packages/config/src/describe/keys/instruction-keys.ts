import type { KeySection } from "./key-section.ts";

export const instructionKeys: KeySection = {
  title: "### Instructions in files",
  intro: "",
  table: null,
  keys: {
    project_doc_max_bytes: { text: "of all AGENTS.md of a project together; 0 reads none" },
    project_doc_fallback_filenames: { text: "read where a folder has no AGENTS.md" },
  },
  outro: "",
};

export const skillKeys: KeySection = {
  title: "### Skills",
  intro: "[skills.md](skills.md) says where they lie. Those of a project are read where it is trusted.",
  table: null,
  keys: {
    "skills.include_instructions": {
      text: "whether the model is given the list of skills; without it they work by mention (`$name`)",
    },
    "skills.config": {
      text: "turns skills off and on: each with `path` (of a SKILL.md or its folder) or `name`, and `enabled`; of several for one skill the last counts",
      type: "tables",
    },
  },
  outro: "",
};
