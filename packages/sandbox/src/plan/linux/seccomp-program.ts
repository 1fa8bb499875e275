import type { Architecture } from "../sandbox-backend.ts";

export interface SeccompOptions {
  readonly architecture: Architecture;
  /**
   * `any`: the network is open. `internet`: it is a namespace's own loopback, so internet sockets are harmless, and those
   * that lead elsewhere are not to be had. `none`: nothing but the filter keeps the network away. But for `any`, no process
   * may look into another.
   */
  readonly sockets: "any" | "internet" | "none";
}

/** Numbers from the kernel's unistd tables: [x64, arm64]. */
const syscalls = {
  bpf: [321, 280],
  clone: [56, 220],
  clone3: [435, 435],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  setns: [308, 268],
  socket: [41, 198],
  socketpair: [53, 199],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
} as const satisfies Record<string, readonly [number, number]>;

type Syscall = keyof typeof syscalls;

/** Ways into the kernel that no development tool needs. */
const alwaysDenied: readonly Syscall[] = [
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "open_by_handle_at",
  "kexec_load",
  "kexec_file_load",
  "init_module",
  "finit_module",
  "delete_module",
  "setns",
  "mount",
  "umount2",
  "pivot_root",
  "move_mount",
  "fsopen",
  "fsconfig",
  "fsmount",
  "fspick",
  "open_tree",
  "mount_setattr",
  "pidfd_getfd",
];
const deniedWithoutNetwork: readonly Syscall[] = ["ptrace", "process_vm_readv", "process_vm_writev"];

/** EPERM and ENOSYS. */
const notPermitted = 1;
const notImplemented = 38;
/** CLONE_NEWUSER. */
const newUserNamespace = 0x1000_0000;
/** TIOCSTI and TIOCLINUX: both type into the terminal. */
const typeAhead = 0x5412;
const linuxConsole = 0x541c;
const family = { unix: 1, inet: 2, inet6: 10, netlink: 16, alg: 38, vsock: 40 } as const;
const auditArchitecture = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const x32Bit = 0x4000_0000;

/** Offsets in the kernel's struct seccomp_data; of an argument its lower half. */
const offset = { syscall: 0, architecture: 4, argument0: 16, argument1: 24 } as const;
/** Classic BPF: code, jump if true, jump if false, constant. */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, constant: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const skipIfEqual = (constant: number, count: number): Instruction => [0x15, count, 0, constant];
const skipUnlessEqual = (constant: number, count: number): Instruction => [0x15, 0, count, constant];
const skipUnlessAtLeast = (constant: number, count: number): Instruction => [0x35, 0, count, constant];
const skipUnlessAnyBit = (mask: number, count: number): Instruction => [0x45, 0, count, mask];
const fail = (errno: number): Instruction => [0x06, 0, 0, 0x0005_0000 | errno];
const allow: Instruction = [0x06, 0, 0, 0x7fff_0000];

/**
 * A seccomp filter as the kernel takes it: an array of struct sock_filter. What it denies fails with an error code, so that
 * programs can go on; it never kills.
 */
export function createSeccompProgram({ architecture, sockets }: SeccompOptions): Uint8Array {
  const numberOf = (name: Syscall): number => syscalls[name][architecture === "x64" ? 0 : 1];
  const deny = (name: Syscall, errno: number): readonly Instruction[] => [
    skipUnlessEqual(numberOf(name), 1),
    fail(errno),
  ];
  /** Judges one argument of one system call; `judgement` ends in a return on every path. */
  const judge = (name: Syscall, argument: number, judgement: readonly Instruction[]): readonly Instruction[] => [
    skipUnlessEqual(numberOf(name), judgement.length + 1),
    load(argument),
    ...judgement,
  ];

  return encode([
    load(offset.architecture),
    skipIfEqual(auditArchitecture[architecture], 1),
    fail(notPermitted),
    load(offset.syscall),
    ...(architecture === "x64" ? [skipUnlessAtLeast(x32Bit, 1), fail(notImplemented)] : []),
    ...alwaysDenied.flatMap((name) => deny(name, notPermitted)),
    ...(sockets === "any" ? [] : deniedWithoutNetwork.flatMap((name) => deny(name, notPermitted))),
    // Its flags lie in memory that a filter cannot read. The C library falls back to clone.
    ...deny("clone3", notImplemented),
    ...judge("clone", offset.argument0, denyFlag(newUserNamespace)),
    ...judge("unshare", offset.argument0, denyFlag(newUserNamespace)),
    ...judge("ioctl", offset.argument1, denyValues([typeAhead, linuxConsole])),
    ...judge("socket", offset.argument0, socketJudgement[sockets]),
    ...(sockets === "any" ? [] : judge("socketpair", offset.argument0, allowValues([family.unix]))),
    allow,
  ]);
}

const socketJudgement = {
  any: denyValues([family.vsock, family.alg]),
  internet: allowValues([family.inet, family.inet6, family.netlink]),
  none: allowValues([]),
} as const;

function denyFlag(flag: number): readonly Instruction[] {
  return [skipUnlessAnyBit(flag, 1), fail(notPermitted), allow];
}

function denyValues(values: readonly number[]): readonly Instruction[] {
  return [...values.flatMap((value) => [skipUnlessEqual(value, 1), fail(notPermitted)]), allow];
}

function allowValues(values: readonly number[]): readonly Instruction[] {
  return [...values.flatMap((value) => [skipUnlessEqual(value, 1), allow]), fail(notPermitted)];
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [index, [code, jumpTrue, jumpFalse, constant]] of instructions.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, jumpTrue);
    bytes.setUint8(index * 8 + 3, jumpFalse);
    bytes.setUint32(index * 8 + 4, constant, true);
  }
  return new Uint8Array(bytes.buffer);
}
