// The process that starts others for a process of the tests: `start-through-helper.ts` says why. It stays small, so it
// imports nothing but Node.
import { spawn, spawnSync } from 'node:child_process';
import { openSync, rmSync, writeSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

const [folder = ''] = process.argv.slice(2);

/** Connections for the streams of the next child, in the order in which they were made. */
const connections = [];
let connected = () => {};

// Ctrl-C reaches this process too. It ends after the one that it works for, which may have children to stop.
process.on('SIGINT', () => {});
process.stdin.on('end', () => process.exit()).resume();

createServer({ pauseOnConnect: true }, (connection) => {
  connections.push(connection);
  connected();
}).listen(join(folder, 'streams'), () => {
  const answers = openSync(join(folder, 'answers'), 'w');
  const requests = new Socket({
    fd: openSync(join(folder, 'requests'), 'r'),
    readable: true,
    writable: false,
  });
  let text = '';
  requests.setEncoding('utf8').on('data', async (more) => {
    text += more;
    if (!text.endsWith('\n')) return;
    const request = JSON.parse(text);
    text = '';
    const answer = request.kind === 'run' ? run(request) : await start(request);
    let bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(answers, bytes));
  });
  // The other process ended.
  requests.on('end', () => process.exit());
});

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Starts a process, and reports its end on standard output. */
async function start({ stdio, ...request }) {
  const own = [];
  for (const kind of stdio) own.push(kind === 'pipe' ? await nextConnection() : kind);
  const child = spawn(request.file, request.args.slice(1), { ...optionsOf(request), stdio: own });
  for (const one of own) if (typeof one !== 'string') one.destroy();
  if (child.pid === undefined)
    return await new Promise((resolve) => child.once('error', ({ errno }) => resolve({ error: errno })));
  child.once('exit', (code, signal) =>
    process.stdout.write(`${JSON.stringify({ pid: child.pid, code, signal })}\n`),
  );
  return { pid: child.pid };
}

async function nextConnection() {
  while (connections.length === 0) await new Promise((resolve) => (connected = resolve));
  return connections.shift();
}

/** Runs a process to its end, as the other process waits for it. */
function run({ input, timeout, killSignal, maxBuffer, stdio, ...request }) {
  const { pid, status, signal, output, error } = spawnSync(request.file, request.args.slice(1), {
    ...optionsOf(request),
    stdio,
    timeout,
    killSignal,
    maxBuffer: maxBuffer ?? Infinity,
    ...(input === undefined ? {} : { input: Buffer.from(input, 'base64') }),
  });
  return {
    pid,
    status,
    signal,
    output: output?.map((bytes) => bytes?.toString('base64') ?? null) ?? null,
    ...(error === undefined ? {} : { error: error.errno }),
  };
}

function optionsOf({ args, cwd, envPairs, detached, uid, gid }) {
  const env = Object.fromEntries(
    envPairs.map((pair) => [pair.slice(0, pair.indexOf('=', 1)), pair.slice(pair.indexOf('=', 1) + 1)]),
  );
  return { argv0: args[0], cwd, env, detached, uid, gid };
}
