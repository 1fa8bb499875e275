import { openSync } from "node:fs";
import { loadConfig } from "@unroll/config";
import { HarnessError, parseOutputSchema } from "@unroll/harness";
import { expect, test } from "vitest";
import { exitCodes, ProgramError, reportFailure, toProgramFailure } from "@unroll/program";
import { createFakeIo } from "./fixture/fake-io.ts";

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("a mistake that the user can fix is one sentence with its code, from every package", async () => {
  const sources = { codexHome: "/sys/nonexistent", cwd: "/", env: {}, overrides: [], flags: {}, profile: "none" };
  const config = await thrownBy(() => loadConfig(sources));
  const schema = await thrownBy(() => parseOutputSchema("{", "schema.json"));
  expect(schema).toBeInstanceOf(HarnessError);
  for (const error of [config, schema, new ProgramError("usage", "No.")]) {
    const { name, code, message } = error as Error & { readonly code: string };
    expect([name, toProgramFailure(error)]).toEqual([
      expect.stringMatching(/^(Config|Harness|Program)Error$/),
      { error: { code, message }, exitCode: exitCodes.usage, stack: null },
    ]);
  }
});

test("a refusal of the system names its subject and place, and is not called a bug", async () => {
  const missing = toProgramFailure(await thrownBy(() => openSync("/sys/nonexistent/a", "r")));
  expect(missing).toEqual({
    error: { code: "system_error", message: "/sys/nonexistent/a: it does not exist (open)." },
    exitCode: exitCodes.failed,
    stack: null,
  });
  const refuse = (code: string): string =>
    toProgramFailure(Object.assign(new Error(code), { code, syscall: "write" })).error.message;
  expect(["ENOSPC", "EACCES", "EMFILE", "EROFS", "EIO"].map(refuse)).toEqual([
    "The system refused an operation that unroll needs: no space left on the disk (write). Free space there, or use another folder (HOME, CODEX_HOME, TMPDIR).",
    "The system refused an operation that unroll needs: permission denied (write). Use a folder that you can write (HOME, CODEX_HOME, TMPDIR), or change its permissions.",
    "The system refused an operation that unroll needs: too many open files; raise the limit with ulimit -n 1024 (write).",
    "The system refused an operation that unroll needs: the file system is read-only (write). Use a writable folder (HOME, CODEX_HOME, TMPDIR).",
    expect.stringMatching(/^The system refused an operation that unroll needs: .+ \(write\)\.$/),
  ]);
});

test("what Node.js wraps is what the system said", () => {
  const info = { code: "EMFILE", syscall: "uv_os_get_passwd", errno: -24, message: "too many open files" };
  const wrapped = Object.assign(new Error("A system error occurred"), { code: "ERR_SYSTEM_ERROR", info });
  expect(toProgramFailure(wrapped).error).toEqual({
    code: "system_error",
    message:
      "The system refused an operation that unroll needs: too many open files; raise the limit with ulimit -n 1024 (uv_os_get_passwd).",
  });
});

test("only a bug is called one, and only it shows a stack", () => {
  const io = createFakeIo();
  const wrongCall = Object.assign(new TypeError("Bad argument."), { code: "ERR_INVALID_ARG_TYPE" });
  for (const error of [new TypeError("x is undefined"), wrongCall, "a text"]) {
    expect(toProgramFailure(error)).toMatchObject({ error: { code: "internal_error" }, exitCode: exitCodes.failed });
  }
  expect(reportFailure(wrongCall, io)).toBe(exitCodes.failed);
  expect(io.stderr.stream).toMatchObject({ readableLength: expect.any(Number) });
  expect(toProgramFailure(wrongCall).stack).toContain("program-failure.test.ts");
});
