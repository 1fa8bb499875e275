import { describe, expect, it } from "vitest";
import { createSandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

const setup =
  "mkdir work; cp /bin/true work/s; chmod 4755 work/s; cp /bin/true work/g; chmod 2755 work/g; tar -C work -cf work/a.tar s g";
const found = "find . -type f -perm /6000 | sort";

describe.skipIf(whyNoSandbox !== null)("a program that copies files which run as their owner", () => {
  it.each([
    ["cp", "mkdir c; cp -a s g c"],
    ["tar", "mkdir c; tar -C c -xpf a.tar"],
    ["install", "mkdir c; install -m 4755 s c/s"],
    ["node", `mkdir c; ${process.execPath} -e 'fs.cpSync("s", "c/s")'`],
  ])("%s says that it may not, and leaves none", async (_, script) => {
    await using sandbox = await createSandboxFixture({ setup });
    const { outcome } = await sandbox.run(script);
    expect(outcome).toMatchObject({
      type: "exited",
      denial: { kind: "process", confidence: "likely", reason: expect.stringContaining("set-user-ID") as string },
    });
    expect(outcome.type === "exited" && outcome.output.text).toMatch(/operation not permitted/i);
    expect(await sandbox.host(found)).toBe("./g\n./s\n");
  });

  it("continues where the bits are not requested", async () => {
    await using sandbox = await createSandboxFixture({ setup });
    const { outcome } = await sandbox.run("mkdir c; cp s g c && mv s t && chmod u-s,g-s t && ls c");
    expect(outcome).toMatchObject({ type: "exited", exitCode: 0, output: { text: "g\ns\n" } });
    expect(await sandbox.host(found)).toBe("./g\n");
  });
});
