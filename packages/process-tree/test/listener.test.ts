import { randomUUID } from "node:crypto";
import { platform } from "node:os";
import type { Socket } from "node:net";
import { createWatchdog, startProcess, toCommandFile } from "@unroll/process-tree";
import { drain } from "@unroll/flow";
import { expect, it, onTestFinished } from "vitest";
import { launchOf } from "./fixture/parent.ts";

/** Hands a listening socket over on descriptor 3, then connects to it, and prints the answer. */
const offer = String.raw`
socket(my $listener, 2, 1, 0); bind($listener, pack("S n a4 x8", 2, 0, "\x7f\0\0\1")); listen($listener, 8);
my $address = getsockname($listener);
my $text = qq({"cmd":"NODE_HANDLE","type":"net.Native","msg":{"marker":"$ENV{UNROLL_PROCESS_ID}"}}\n);
my $vector = pack("P Q", $text, length $text);
my $control = pack("Q l l l x4", 20, 1, 1, fileno($listener));
my $message = pack("Q L x4 P Q P Q i x4", 0, 0, $vector, 1, $control, length $control, 0);
syscall($ARGV[0] + 0, 3, $message, 0) > 0 or die "sendmsg: $!";
close($listener); syscall($ARGV[1] + 0, 3);
socket(my $client, 2, 1, 0); connect($client, $address) or die "connect: $!";
syswrite($client, "hello"); shutdown($client, 1);
print while <$client>;
open(my $parent, "<", "/proc/" . getppid() . "/comm"); print <$parent>;
exit 7;
`;
const numbers = process.arch === "arm64" ? ["211", "57"] : ["46", "3"];

it.skipIf(platform() !== "linux").for([
  ["the process that starts commands", true, { type: "output" }, "unroll-starter"],
  ["Node", false, { type: "pipes" }, "MainThread"],
  ["node-pty", true, { type: "terminal", columns: 80, rows: 24 }, "MainThread"],
] as const)(
  "takes a listening socket that a process started by %s hands over",
  async ([, takesListeners, connection, starter]) => {
    const watchdog = createWatchdog("listener-test.", 0, { ...(takesListeners && { newSecret: randomUUID }) });
    onTestFinished(() => watchdog.close());
    const heard: string[] = [];
    const accept = (socket: Socket): void => {
      let said = "";
      socket.setEncoding("utf8").on("data", (text: string) => (said += text));
      socket.on("end", () => {
        heard.push(said);
        socket.end(`you said ${said}\n`);
      });
    };
    const run = async (): Promise<unknown> => {
      const launch = {
        ...launchOf(toCommandFile("/usr/bin/perl"), ["-e", offer, ...numbers]),
        marker: `listener-test.${Math.random()}`,
      };
      const start = await startProcess(launch, connection, {
        timeoutMs: 60_000,
        maxOutputBytes: 1_000,
        signal: new AbortController().signal,
        elapsed: () => performance.now(),
        watchdog,
        stateFolder: "/tmp",
        accept,
      });
      if (start.type === "failed") throw new Error(start.message);
      const { output, exit } = await drain(start.process.output);
      return [output.text.replaceAll("\r", "").split("\n"), exit?.exitCode];
    };
    const [parent, ...all] = [expect.stringContaining(starter), await run(), ...(await Promise.all([run(), run()]))];
    expect(all).toEqual(Array(3).fill([["you said hello", parent, ""], 7]));
    expect(heard).toEqual(Array(3).fill("hello"));
  },
);
