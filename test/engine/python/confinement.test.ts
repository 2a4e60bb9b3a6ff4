import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../environment/clock.ts';
import { openPython } from '../../../engine/python/open-python.ts';
import { readProcess } from '../../../engine/python/read-answer.ts';
import { executable, hasNamespaces, isPythonMissing, plainPython, scriptRunner, why } from './python-here.ts';

const limits = {
  maxMemoryBytes: 200 * 1024 ** 2,
  maxMegabytes: 8,
  maxProcesses: 20,
  outputLength: 500,
  scripts: 2,
};

let plain: ReturnType<typeof plainPython>;
let server: Server;
let port = 0;
let connections = 0;
beforeAll(async () => {
  plain = plainPython();
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  plain[Symbol.dispose]();
  server.close();
  await once(server, 'close');
});

/** The processes of this machine that have a text among their arguments. */
function processesWith(text: string): number {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  }).length;
}

/** Whether a script of root, which runs as another user, may enter a folder: the clone may be in a private one. */
function mayReach(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (dirname(folder) === folder || mayReach(dirname(folder)));
}

const systems = [
  ['with what this system offers', () => executable, hasNamespaces],
  ['on a system without namespaces', () => plain.program, false],
] as const;

test('only the number of one other process names the group that is killed', () => {
  const written = [2, 1, 0, -1, 2.5, '2'].map((number) => `${JSON.stringify({ process: number })}\n`);
  expect(written.map(readProcess)).toEqual([2, ...Array.from({ length: 5 })]);
});

describe.skipIf(isPythonMissing).each(systems)(`a script %s${why}`, (system, program, isConfined) => {
  let run: ReturnType<typeof scriptRunner>;
  beforeAll(() => {
    run = scriptRunner({ program: program(), limits });
  });

  test('has an environment and a working folder of its own, and no input', async () => {
    const { output } = await run(
      'import os, sys\nprint(sorted(os.environ), os.listdir("."), repr(sys.stdin.read()), sys.argv)',
    );
    expect(output.text).toBe("['HOME', 'LANG', 'TMPDIR', 'TZ'] [] '' ['<script>']\n");
  });

  test('reaches no server of this machine, or the run says that it could', async ({ annotate }) => {
    const before = connections;
    const { output, hasNoNetwork } = await run(
      `import socket\ntry:\n  socket.create_connection(("127.0.0.1", ${port}), 20)\n  print("reached")\nexcept OSError:\n  print("refused")`,
    );
    await annotate(`${system}: ${hasNoNetwork ? 'the network is cut off' : 'the network cannot be cut off'}`);
    expect(hasNoNetwork).toBe(isConfined);
    expect(output.text).toBe(hasNoNetwork ? 'refused\n' : 'reached\n');
    expect(connections - before).toBe(hasNoNetwork ? 0 : 1);
  });

  test('writes files to its own folders only, or the run says that it could, and nothing stays', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'millrace-outside-'));
    const other = await mkdtemp(join(process.cwd(), '.millrace', 'outside-'));
    try {
      // A script of root runs as another user.
      for (const folder of [outside, other]) await chmod(folder, 0o777);
      const targets = ['here.txt', join(outside, 'file.txt'), join(other, 'file.txt')];
      const { output, hasOwnFiles } = await run(
        `import os\nprint(os.getcwd())\nfor name in ${JSON.stringify(targets)}:\n  try:\n    open(name, "w").write("x")\n    print("written")\n  except OSError:\n    print("refused")`,
      );
      const [folder = '', ...results] = output.text.trimEnd().split('\n');
      const isWritten = (target: string) => !hasOwnFiles && mayReach(target);
      expect(results).toEqual([
        'written',
        ...[outside, other].map((target) => (isWritten(target) ? 'written' : 'refused')),
      ]);
      for (const target of [outside, other])
        expect(await readdir(target)).toHaveLength(isWritten(target) ? 1 : 0);
      await expect(readdir(folder)).rejects.toThrow('ENOENT');
    } finally {
      await rm(outside, { recursive: true });
      await rm(other, { recursive: true });
    }
  });

  test('cannot have more memory than the limit, alone or in several processes', async () => {
    expect((await run('print(1)\na = [0] * 10**10')).end).toMatchObject({
      kind: 'raised',
      type: 'MemoryError',
      line: 2,
    });
    const several = 'import os, time\nfor i in range(3): os.fork()\na = b"x" * 60_000_000\ntime.sleep(600)';
    expect((await run(several)).end).toEqual({ kind: 'limit', what: 'memory' });
  });

  test('that starts more processes than the limit is ended with all of them', async () => {
    const token = randomUUID();
    const sleep = `os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", "${token}"])`;
    // Bounded: a limit that does not work must not fill the machine that runs this test.
    const { end } = await run(`import os, sys\nfor i in range(64):\n  if os.fork() == 0: ${sleep}`);
    // Either the kernel refuses one more, or the watcher counts too many.
    expect([{ kind: 'limit', what: 'processes' }, { type: 'BlockingIOError' }]).toContainEqual(
      end.kind === 'raised' ? { type: end.type } : end,
    );
    expect(processesWith(token)).toBe(0);
  });

  test('that prints without end is ended at its time limit, and only the beginning is kept', async () => {
    const clock = manualClock();
    const timed = scriptRunner({ clock, limits, program: program() });
    const running = timed('while True: print("y" * 1000)', { timeoutMs: 1_000 });
    await expect.poll(() => clock.sleepers).toBe(1);
    await clock.advance(1_000);
    const { end, output } = await running;
    expect(end).toEqual({ kind: 'limit', what: 'time' });
    expect(output.text.length).toBeLessThanOrEqual(limits.outputLength);
  });

  test('is ended by an abort with all that it started, also in sessions of their own', async () => {
    const token = randomUUID();
    const abort = new AbortController();
    const sleeper = `[sys.executable, "-c", "import time; time.sleep(600)", "${token}"]`;
    const text = `import subprocess, sys\nfor own in (True, False): subprocess.Popen(${sleeper}, start_new_session=own)\nwhile True: pass`;
    const running = run(text, {}, abort.signal);
    await expect.poll(() => processesWith(token)).toBe(2);
    abort.abort();
    expect((await running).end).toEqual({ kind: 'stopped' });
    expect(processesWith(token)).toBe(0);
  });

  test('leaves no process behind when it ends by itself', async () => {
    const token = randomUUID();
    const sleeper = `[sys.executable, "-c", "import time; time.sleep(600)", "${token}"]`;
    const { end } = await run(`import subprocess, sys\nsubprocess.Popen(${sleeper}, start_new_session=True)`);
    expect(end.kind).toBe('ended');
    expect(processesWith(token)).toBe(0);
  });

  test('cannot write a file beyond the limit', async () => {
    const { end } = await run(`open("f", "wb").truncate(${(limits.maxMegabytes + 1) * 1024 ** 2})`);
    expect(end).toMatchObject({ kind: 'raised', type: 'OSError' });
  });
});

test.skipIf(isPythonMissing)(`where there are namespaces, a script sees no other process${why}`, async () => {
  const { output, hasNoNetwork } = await scriptRunner()(
    `import os\ntry:\n  open("/proc/${process.pid}/environ").read()\n  print("read")\nexcept OSError:\n  print("refused")\nprint(os.getpid())`,
  );
  expect(output.text).toBe(hasNoNetwork ? 'refused\n1\n' : expect.stringMatching(/^read\n\d+\n$/));
});

test.skipIf(isPythonMissing)(
  `a script that is stopped while it waits for its turn never begins${why}`,
  async () => {
    const python = openPython({ program: executable, environment: process.env, limits });
    const job = { text: 'while True: pass', variables: [], hasSession: false, timeoutMs: 60_000 };
    const [first, last] = [new AbortController(), new AbortController()];
    const busy = Array.from({ length: limits.scripts }, () => python.run(job, first.signal));
    const waiting = python.run(job, last.signal);
    last.abort();
    expect(await waiting).toBeUndefined();
    first.abort();
    for (const run of await Promise.all(busy)) expect(run?.end).toEqual({ kind: 'stopped' });
  },
);

test.skipIf(isPythonMissing || process.getuid?.() !== 0)(
  `as root, where it cannot become another user, no script runs: nothing limits root${why || ' (skipped where the tests do not run as root)'}`,
  async () => {
    using rootOnly = plainPython(['unshare', 'setgid']);
    const { end, output } = await scriptRunner({ program: rootOnly.program })('print("ran")');
    expect(end).toEqual({ kind: 'unsafe', why: 'unbounded' });
    expect(output.text).toBe('');
  },
);
