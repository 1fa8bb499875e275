import type { ItemForm } from "@unroll/protocol";

/** Every item unchanged, apart from its id: the form for OpenAI's API. */
export const wholeForm: ItemForm = {
  anyItems: true,
  customTools: true,
  developerMessages: true,
  images: true,
  reasoningItems: true,
  repeatedRoles: true,
  webSearch: true,
  ids: "dropped",
  server: { provider: "", model: "" },
};
