import { showPath } from "../text/show-path.ts";
import { isTruncated, type AgentsDocument, type AgentsDocuments } from "./agents-document.ts";

const separator = "--- project-doc ---";

/** The text of all files, each of the project under its path; empty when they say nothing. */
export function renderAgentsDocuments(documents: AgentsDocuments): string {
  const global = documents.global === null ? "" : renderText(documents.global);
  const project = documents.project.map(renderProjectDocument).filter((text) => text !== "");
  if (project.length === 0) return global;
  return [...(global === "" ? [] : [global, separator]), ...project].join("\n\n");
}

function renderProjectDocument(document: AgentsDocument): string {
  const text = renderText(document);
  return text === "" ? "" : `[${showPath(document.path)}]\n${text}`;
}

function renderText(document: AgentsDocument): string {
  const text = document.text.trimEnd();
  if (!isTruncated(document)) return text;
  const { path, bytes, size } = document;
  const marker = `[Cut here: ${bytes} of ${size} bytes of ${showPath(path)} are shown, the rest is over the size limit. Read the file before you work by it.]`;
  return text === "" ? marker : `${text}\n${marker}`;
}
