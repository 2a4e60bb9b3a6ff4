import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openPython, type PythonOptions } from '../../../engine/python/open-python.ts';
import type { ScriptJob, ScriptRun } from '../../../engine/python/python.ts';

/** Where the tests run as root, scripts run as another user, who must be able to read the program. */
const asScript = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const show = ['-c', 'import os, sys; open(os.__file__).close(); print(sys.executable)'];
const interpreter = ['python3', '/usr/bin/python3', '/usr/local/bin/python3']
  .map((program) => spawnSync(program, show, { encoding: 'utf8', cwd: '/', ...asScript }))
  .find(({ status }) => status === 0);

/** Python belongs to the machine: where it is missing, its tests are skipped, and their titles say why. */
export const isPythonMissing = interpreter === undefined;
export const why = isPythonMissing ? ' (skipped: there is no python3 here that a script can read)' : '';

/** Its program. */
export const executable = interpreter?.stdout.trim() ?? 'python3';

/** Whether this system gives a process of Python namespaces of its own: root needs no user namespace for them. */
const flags = process.getuid?.() === 0 ? '0x68020000' : '0x78020000';
const isLinux = process.platform === 'linux';
export const hasNamespaces =
  isLinux &&
  spawnSync(executable, ['-c', `import ctypes, sys; sys.exit(-ctypes.CDLL(None).unshare(${flags}))`])
    .status === 0;

/** Runs one script with the Python of this machine. */
export function scriptRunner(options: Partial<PythonOptions> = {}) {
  const python = openPython({ program: executable, environment: process.env, ...options });
  return async (text: string, job: Partial<ScriptJob> = {}, signal?: AbortSignal): Promise<ScriptRun> => {
    const whole = { text, variables: [], hasSession: false, timeoutMs: 60_000, ...job };
    const run = await python.run(whole, signal ?? new AbortController().signal);
    if (run === undefined) throw new Error('the script did not begin');
    return run;
  };
}

/** The numbers of system calls on x86-64 and on ARM. */
const calls = { unshare: [272, 97], setgid: [106, 144] } as const;

/** A Python on a system that refuses namespaces, as containers do: the kernel answers EPERM to these calls. */
export function plainPython(
  refused: readonly (keyof typeof calls)[] = ['unshare'],
): { readonly program: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-plain-python-'));
  const program = join(folder, 'python3');
  const answer = JSON.stringify({ executable: program, version: [3, 9], system: 'posix' });
  const numbers = JSON.stringify(refused.map((name) => calls[name]));
  const callArguments = [JSON.stringify(answer), JSON.stringify(executable), numbers].join(', ');
  writeFileSync(program, `#!${executable}\n${refusing}run(${callArguments})\n`);
  chmodSync(program, 0o755);
  return { program, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const refusing = `import ctypes, os, platform, struct, sys
def run(answer, program, calls):
    if '-c' in sys.argv:
        return print(answer)
    if sys.platform == 'linux':
        numbers = [call[platform.machine() == 'aarch64'] for call in calls]
        tests = [rule for number in numbers for rule in [(0x15, 0, 1, number), (6, 0, 0, 0x50001)]]
        rules = [(0x20, 0, 0, 0), *tests, (6, 0, 0, 0x7fff0000)]
        code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *rule) for rule in rules))
        filter = struct.pack('HxxxxxxP', len(rules), ctypes.addressof(code))
        libc = ctypes.CDLL(None)
        libc.prctl(38, 1, 0, 0, 0)
        assert libc.prctl(22, 2, filter, 0, 0) == 0
    os.execv(program, [program, *sys.argv[1:]])
`;
