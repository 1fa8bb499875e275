import type { ItemForm } from "@unroll/protocol";

/** Every item goes as it came, but for its id: how items are sent to OpenAI's API. */
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
