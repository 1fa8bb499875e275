import { createViewImageTool, type ImageReader } from "@unroll/tools";
import { expect, test } from "vitest";
import { createRuntime, functionCall, outputText, runCalls, withFacts } from "../fake-ports.ts";

function createTool(answer: Awaited<ReturnType<ImageReader["read"]>>) {
  const paths: string[] = [];
  const images: ImageReader = {
    async read(path) {
      paths.push(path);
      return answer;
    },
  };
  return { paths, tool: createViewImageTool({ cwd: "/home/me", images }) };
}

test("an image follows all outputs as a user message", async () => {
  const { tool, paths } = createTool({ dataUrl: "data:image/png;base64,AAAA" });
  const calls = [
    functionCall("view_image", { path: "a.png" }, "a"),
    functionCall("view_image", { path: "/b.png" }, "b"),
  ];
  const { items, events } = await runCalls(createRuntime([tool]), calls);
  const output = (path: string, callId: string) => ({
    type: "function_call_output",
    call_id: callId,
    output: `Loaded ${path}. It is in a message after the tool outputs.`,
  });
  const message = (path: string) => ({
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: `The image ${path}:` },
      { type: "input_image", image_url: "data:image/png;base64,AAAA" },
    ],
  });
  expect(items).toEqual([
    output("/home/me/a.png", "a"),
    output("/b.png", "b"),
    message("/home/me/a.png"),
    message("/b.png"),
  ]);
  const item = (id: string, path: string, status: string) => ({
    id,
    type: "image_view",
    path,
    status,
    call_id: id === "item_0" ? "a" : "b",
  });
  expect(events).toEqual(
    withFacts([
      { type: "item.started", item: item("item_0", "/home/me/a.png", "in_progress") },
      { type: "item.started", item: item("item_1", "/b.png", "in_progress") },
      { type: "item.completed", item: item("item_0", "/home/me/a.png", "completed") },
      { type: "item.completed", item: item("item_1", "/b.png", "completed") },
    ]),
  );
  expect(paths).toEqual(["/home/me/a.png", "/b.png"]);
});

test("for a file that is not an image, the output says why", async () => {
  const { tool } = createTool({ error: "/home/me/a.txt is a text file." });
  const result = await runCalls(createRuntime([tool]), [functionCall("view_image", { path: "a.txt" })]);
  expect(outputText(result)).toBe("The image was not loaded: /home/me/a.txt is a text file.");
  expect(result.items).toHaveLength(1);
  const item = { id: "item_0", type: "image_view", path: "/home/me/a.txt" };
  expect(result.events).toEqual(
    withFacts([
      { type: "item.started", item: { ...item, status: "in_progress" } },
      { type: "item.completed", item: { ...item, status: "failed", reason: "/home/me/a.txt is a text file." } },
    ]),
  );
});
