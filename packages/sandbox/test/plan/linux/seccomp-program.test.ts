import { describe, expect, it } from "vitest";
import { createSeccompProgram, type SeccompOptions } from "../../../src/plan/linux/seccomp-program.ts";

const x64Audit = 0xc000003e;
const arm64Audit = 0xc00000b7;
const allow = 0x7fff0000;
const notPermitted = 0x00050001;
const notImplemented = 0x00050026;

/** Carries a filter out as the kernel would. */
function judge(options: SeccompOptions, audit: number, call: readonly number[]): number {
  const [syscall = 0, ...args] = call;
  const bytes = createSeccompProgram(options);
  const program = new DataView(bytes.buffer);
  const data = new Map([
    [0, syscall],
    [4, audit],
    ...args.map((value, index): [number, number] => [16 + 8 * index, value]),
  ]);
  let accumulator = 0;
  for (let index = 0; index < bytes.length / 8; index += 1) {
    const [code, jumpTrue, jumpFalse, constant] = [
      program.getUint16(index * 8, true),
      program.getUint8(index * 8 + 2),
      program.getUint8(index * 8 + 3),
      program.getUint32(index * 8 + 4, true),
    ];
    const jump = (isTrue: boolean) => (index += isTrue ? jumpTrue : jumpFalse);
    if (code === 0x06) return constant;
    else if (code === 0x20) accumulator = data.get(constant) ?? 0;
    else if (code === 0x15) jump(accumulator === constant);
    else if (code === 0x35) jump(accumulator >= constant);
    else if (code === 0x54) accumulator = (accumulator & constant) >>> 0;
    else if (code === 0x45) jump((accumulator & constant) !== 0);
    else throw new Error(`code ${code}`);
  }
  throw new Error("ran off the end");
}

describe.each([
  [
    "x64",
    x64Audit,
    {
      read: 0,
      clone: 56,
      clone3: 435,
      unshare: 272,
      ioctl: 16,
      socket: 41,
      socketpair: 53,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      mount: 165,
      bpf: 321,
      io_uring_setup: 425,
      openat: 257,
      openat2: 437,
      fchmod: 91,
      fchmodat: 268,
      fchmodat2: 452,
      mknodat: 259,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
    },
  ],
  [
    "arm64",
    arm64Audit,
    {
      read: 63,
      clone: 220,
      clone3: 435,
      unshare: 97,
      ioctl: 29,
      socket: 198,
      socketpair: 199,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      mount: 40,
      bpf: 280,
      io_uring_setup: 425,
      openat: 56,
      openat2: 437,
      fchmod: 52,
      fchmodat: 53,
      fchmodat2: 452,
      mknodat: 33,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
    },
  ],
] as const)("the filter for %s", (architecture, audit, nr) => {
  const off = (syscall: number, ...args: number[]) =>
    judge({ architecture, sockets: "internet" }, audit, [syscall, ...args]);
  const on = (syscall: number, ...args: number[]) => judge({ architecture, sockets: "any" }, audit, [syscall, ...args]);

  it("denies the ways into the kernel and lets the rest be", () => {
    expect([nr.read, nr.mount, nr.bpf, nr.io_uring_setup].map((syscall) => on(syscall))).toEqual([
      allow,
      notPermitted,
      notPermitted,
      notPermitted,
    ]);
  });

  it("denies user namespaces, and clone3 so that clone is used", () => {
    expect([
      off(nr.clone, 0x11),
      off(nr.clone, 0x10000011),
      off(nr.unshare, 0x10000000),
      off(nr.unshare, 0x20000000),
      off(nr.clone3),
    ]).toEqual([allow, notPermitted, notPermitted, allow, notImplemented]);
  });

  it("denies typing into a terminal", () => {
    expect([off(nr.ioctl, 0, 0x5412), off(nr.ioctl, 0, 0x541c), off(nr.ioctl, 0, 0x5401)]).toEqual([
      notPermitted,
      notPermitted,
      allow,
    ]);
  });

  it("lets only internet sockets be made without network, and all but a few with it", () => {
    expect([1, 2, 10, 16, 17, 38, 40].map((family) => off(nr.socket, family))).toEqual([
      notPermitted,
      allow,
      allow,
      allow,
      notPermitted,
      notPermitted,
      notPermitted,
    ]);
    expect([1, 2, 38, 40].map((family) => on(nr.socket, family))).toEqual([allow, allow, notPermitted, notPermitted]);
    expect(judge({ architecture, sockets: "none" }, audit, [nr.socket, 2])).toBe(notPermitted);
  });

  it("lets only pairs be made without network that stay connected", () => {
    const [stream, datagram, raw, sequenced, flags] = [1, 2, 3, 5, 0x80800];
    expect(
      [stream, stream | flags, sequenced, datagram, datagram | flags, raw].map((type) => off(nr.socketpair, 1, type)),
    ).toEqual([allow, allow, allow, notPermitted, notPermitted, notPermitted]);
    expect([off(nr.socketpair, 2, stream), on(nr.socketpair, 1, datagram)]).toEqual([notPermitted, allow]);
  });

  it("denies files that run as their owner or group, and no other mode", () => {
    const modes = [0o755, 0o1777, 0o4755, 0o2755, 0o100644];
    const verdicts = [allow, allow, notPermitted, notPermitted, allow];
    const [create, temporary, folder] = [0x41, 0x410000, 0x10000];
    expect(modes.map((mode) => on(nr.fchmod, 3, mode))).toEqual(verdicts);
    for (const call of [nr.fchmodat, nr.fchmodat2, nr.mknodat]) {
      expect(modes.map((mode) => on(call, 3, 0, mode))).toEqual(verdicts);
    }
    expect(modes.map((mode) => on(nr.openat, 3, 0, create, mode))).toEqual(verdicts);
    expect(modes.map((mode) => on(nr.openat, 3, 0, temporary, mode))).toEqual(verdicts);
    // Without the flags the mode is whatever a register held.
    expect(modes.map((mode) => on(nr.openat, 3, 0, folder, mode))).toEqual(modes.map(() => allow));
    expect(on(nr.openat2)).toBe(notImplemented);
  });

  it("knows the calls that only one processor has", () => {
    const [open, creat, chmod, mknod] = [
      on(2, 0, 0x41, 0o4755),
      on(85, 0, 0o4755),
      on(90, 0, 0o4755),
      on(133, 0, 0o4755),
    ];
    expect([open, creat, chmod, mknod]).toEqual(Array(4).fill(architecture === "x64" ? notPermitted : allow));
  });

  it("has no keyrings", () => {
    expect([nr.add_key, nr.request_key, nr.keyctl].map((call) => on(call))).toEqual(Array(3).fill(notImplemented));
  });

  it("denies looking into processes without network, and into process 1 always", () => {
    const attach = 16;
    expect([off(nr.ptrace, attach, 2), on(nr.ptrace, attach, 2), on(nr.ptrace, attach, 1)]).toEqual([
      notPermitted,
      allow,
      notPermitted,
    ]);
    for (const call of [nr.process_vm_readv, nr.process_vm_writev]) {
      expect([off(call, 2), on(call, 2), on(call, 1)]).toEqual([notPermitted, allow, notPermitted]);
    }
  });

  it("denies the calls of another processor", () => {
    expect(judge({ architecture, sockets: "any" }, 0x40000003, [nr.read])).toBe(notPermitted);
    expect(on(0x40000000 + nr.read)).toBe(architecture === "x64" ? notImplemented : allow);
  });
});
