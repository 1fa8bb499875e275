import type { Architecture } from "../sandbox-backend.ts";

export interface SeccompOptions {
  readonly architecture: Architecture;
  /**
   * `any`: the network is open. `internet`: only a namespace's own loopback exists, so internet
   * sockets are harmless and all others are denied. `none`: only this filter blocks the network.
   * Except with `any`, no process may look into another. With `any`, none may look into process 1,
   * which ends all others with their harness. None may ever take limits or time from that one.
   */
  readonly sockets: "any" | "internet" | "none";
}

/** Numbers from the kernel's unistd tables: [x64, arm64]; null: that processor never had the call. */
const syscalls = {
  add_key: [248, 217],
  bpf: [321, 280],
  chmod: [90, null],
  clone: [56, 220],
  clone3: [435, 435],
  creat: [85, null],
  delete_module: [176, 106],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioprio_set: [251, 30],
  ioctl: [16, 29],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  mknod: [133, null],
  mknodat: [259, 33],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  open: [2, null],
  openat: [257, 56],
  openat2: [437, 437],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  prlimit64: [302, 261],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  request_key: [249, 218],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  setns: [308, 268],
  setpriority: [141, 140],
  socket: [41, 198],
  socketpair: [53, 199],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
} as const satisfies Record<string, readonly [number, number] | readonly [number, null]>;

type Syscall = keyof typeof syscalls;

/** System calls that no development tool needs. */
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
/** Calls that look into a process, and the argument that names it. */
const lookers = [
  { name: "ptrace", process: 1 },
  { name: "process_vm_readv", process: 0 },
  { name: "process_vm_writev", process: 0 },
] as const;
/** Calls that change how much of the machine a process gets, and the argument that names it. */
const regulators = [
  { name: "prlimit64", process: 0 },
  { name: "sched_setaffinity", process: 0 },
  { name: "sched_setattr", process: 0 },
  { name: "sched_setparam", process: 0 },
  { name: "sched_setscheduler", process: 0 },
  { name: "ioprio_set", process: 1 },
  { name: "setpriority", process: 1 },
] as const;
/**
 * Denied as if the kernel did not have them, so that programs fall back. The arguments of `clone3`
 * and `openat2` lie in memory that a filter cannot read: the C library falls back to `clone`,
 * callers of `openat2` to `openat`. The session's keyring is shared with programs outside.
 */
const neverThere: readonly Syscall[] = ["clone3", "openat2", "add_key", "request_key", "keyctl"];
/** The argument that holds the mode of a file, and the flags that decide whether a file is created. */
const openers = [
  { name: "openat", flags: 2, mode: 3 },
  { name: "open", flags: 1, mode: 2 },
] as const;
const setters = [
  { name: "chmod", mode: 1 },
  { name: "fchmod", mode: 1 },
  { name: "fchmodat", mode: 2 },
  { name: "fchmodat2", mode: 2 },
  { name: "creat", mode: 1 },
  { name: "mknod", mode: 1 },
  { name: "mknodat", mode: 2 },
] as const;

/** The sandbox's own process, in the namespace of its commands. */
const initProcess = 1;
/** EPERM and ENOSYS. */
const notPermitted = 1;
const notImplemented = 38;
/** CLONE_NEWUSER. */
const newUserNamespace = 0x1000_0000;
/** TIOCSTI and TIOCLINUX: both type into the terminal. */
const typeAhead = 0x5412;
const linuxConsole = 0x541c;
/** S_ISUID and S_ISGID. */
const setIdBits = 0o6000;
/** O_CREAT and O_TMPFILE: without them the kernel ignores the mode. */
const makesFile = 0x40_0040;
/** The bits of a socket's type without its flags. */
const socketTypeMask = 0xf;
const socketType = { stream: 1, sequencedPackets: 5 } as const;
const family = { unix: 1, inet: 2, inet6: 10, netlink: 16, alg: 38, vsock: 40 } as const;
const auditArchitecture = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const x32Bit = 0x4000_0000;

/** Offsets in the kernel's struct seccomp_data. */
const offset = { syscall: 0, architecture: 4, arguments: 16 } as const;
/** Classic BPF: code, jump if true, jump if false, constant. */
type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, constant: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
/** The lower half of an argument: the kernel takes no more for the arguments checked here. */
const loadArgument = (index: number): Instruction => load(offset.arguments + 8 * index);
const keepBits = (mask: number): Instruction => [0x54, 0, 0, mask];
const skipIfEqual = (constant: number, count: number): Instruction => [0x15, count, 0, constant];
const skipUnlessEqual = (constant: number, count: number): Instruction => [0x15, 0, count, constant];
const skipUnlessAtLeast = (constant: number, count: number): Instruction => [0x35, 0, count, constant];
const skipIfAnyBit = (mask: number, count: number): Instruction => [0x45, count, 0, mask];
const skipUnlessAnyBit = (mask: number, count: number): Instruction => [0x45, 0, count, mask];
const fail = (errno: number): Instruction => [0x06, 0, 0, 0x0005_0000 | errno];
const allow: Instruction = [0x06, 0, 0, 0x7fff_0000];

const made = new Map<string, Uint8Array>();

/**
 * A seccomp filter in the kernel's format: an array of struct sock_filter. Denied calls fail with
 * an error code, so that programs can continue; the filter never kills. The same options give the
 * same array, which must not be changed.
 */
export function createSeccompProgram(options: SeccompOptions): Uint8Array {
  const key = `${options.architecture} ${options.sockets}`;
  const program = made.get(key) ?? assemble(options);
  made.set(key, program);
  return program;
}

function assemble({ architecture, sockets }: SeccompOptions): Uint8Array {
  /** `judgement` ends in a return on every path. */
  const judge = (name: Syscall, judgement: readonly Instruction[]): readonly Instruction[] => {
    const number = syscalls[name][architecture === "x64" ? 0 : 1];
    return number === null ? [] : [skipUnlessEqual(number, judgement.length), ...judgement];
  };
  const deny = (names: readonly Syscall[], errno: number): readonly Instruction[] =>
    names.flatMap((name) => judge(name, [fail(errno)]));

  return encode([
    load(offset.architecture),
    skipIfEqual(auditArchitecture[architecture], 1),
    fail(notPermitted),
    load(offset.syscall),
    ...(architecture === "x64" ? [skipUnlessAtLeast(x32Bit, 1), fail(notImplemented)] : []),
    // First, because no other call is as frequent.
    ...openers.flatMap(({ name, flags, mode }) => judge(name, denySetIdOnCreation(flags, mode))),
    ...setters.flatMap(({ name, mode }) => judge(name, denyFlags(mode, setIdBits))),
    ...deny(alwaysDenied, notPermitted),
    ...lookers.flatMap(({ name, process }) =>
      judge(name, sockets === "any" ? denyValues(process, [initProcess]) : [fail(notPermitted)]),
    ),
    ...regulators.flatMap(({ name, process }) => judge(name, denyValues(process, [initProcess]))),
    ...deny(neverThere, notImplemented),
    ...judge("clone", denyFlags(0, newUserNamespace)),
    ...judge("unshare", denyFlags(0, newUserNamespace)),
    ...judge("ioctl", denyValues(1, [typeAhead, linuxConsole])),
    ...judge("socket", socketJudgement[sockets]),
    ...(sockets === "any" ? [] : judge("socketpair", allowConnectedPairs())),
    allow,
  ]);
}

const socketJudgement = {
  any: denyValues(0, [family.vsock, family.alg]),
  internet: allowValues(0, [family.inet, family.inet6, family.netlink]),
  none: allowValues(0, []),
} as const;

/**
 * Pairs that stay connected to each other. A datagram socket could still send to any address, which
 * lies in memory.
 */
function allowConnectedPairs(): readonly Instruction[] {
  const types = [socketType.stream, socketType.sequencedPackets];
  return [
    loadArgument(0),
    skipIfEqual(family.unix, 1),
    fail(notPermitted),
    loadArgument(1),
    keepBits(socketTypeMask),
    ...types.flatMap((type) => [skipUnlessEqual(type, 1), allow]),
    fail(notPermitted),
  ];
}

/** Arguments by their index. */
function denySetIdOnCreation(flags: number, mode: number): readonly Instruction[] {
  return [loadArgument(flags), skipIfAnyBit(makesFile, 1), allow, ...denyFlags(mode, setIdBits)];
}

function denyFlags(argument: number, flags: number): readonly Instruction[] {
  return [loadArgument(argument), skipUnlessAnyBit(flags, 1), fail(notPermitted), allow];
}

function denyValues(argument: number, values: readonly number[]): readonly Instruction[] {
  const denials = values.flatMap((value) => [skipUnlessEqual(value, 1), fail(notPermitted)]);
  return [loadArgument(argument), ...denials, allow];
}

function allowValues(argument: number, values: readonly number[]): readonly Instruction[] {
  const permissions = values.flatMap((value) => [skipUnlessEqual(value, 1), allow]);
  return [loadArgument(argument), ...permissions, fail(notPermitted)];
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
