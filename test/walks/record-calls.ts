import diagnostics from 'node:diagnostics_channel';
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import type { Recorded, RecordOptions } from './recorded.ts';

// Loaded with `--import` before a program: each function of the listed files reports by which file it was called.

const root = join(import.meta.dirname, '../..');
const options = JSON.parse(process.env['MILLRACE_WALK'] ?? '{}') as RecordOptions;
const callers = new Map<string, Set<string>>();
let isRecording = options.from === 'start';
if (options.from === 'request') {
  diagnostics.subscribe('http.server.request.start', () => {
    isRecording = true;
  });
}

Error.stackTraceLimit = 200;

function called(file: string): void {
  if (!isRecording) return;
  const known = callers.get(file) ?? new Set();
  callers.set(file, known.add(callerOf(file)));
}

/** The nearest product file on the stack, also across `await`, other than the file itself and `lib/`. */
function callerOf(file: string): string {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  const names = new Error('the stack').stack as unknown as readonly string[];
  Error.prepareStackTrace = before;
  return (
    names
      .filter((name) => name.startsWith('file:'))
      .map((name) => relative(root, fileURLToPath(name)))
      .find((name) => name !== file && /^(?:actions|cli|client|engine|flows|worker)\//.test(name)) ?? ''
  );
}

Object.assign(globalThis, { millraceCalled: called });

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:')) return loaded;
    const file = relative(root, fileURLToPath(url));
    if (!options.files.includes(file)) return loaded;
    return { ...loaded, source: withReports(file, readFileSync(fileURLToPath(url), 'utf8')) };
  },
});

/** The source with a report at the beginning of each function. */
function withReports(file: string, source: string): string {
  const report = `millraceCalled(${JSON.stringify(file)})`;
  const edits: (readonly [at: number, text: string])[] = [];
  const addReport = ({ body }: { body: { type: string; start: number; end: number } | null }): void => {
    if (body === null) return;
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody')
      edits.push([body.start + 1, `${report};`]);
    else edits.push([body.start, `(${report},`], [body.end, ')']);
  };
  new Visitor({
    FunctionDeclaration: addReport,
    FunctionExpression: addReport,
    ArrowFunctionExpression: addReport,
  }).visit(parseSync(file, source).program);
  return edits
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [at, more]) => text.slice(0, at) + more + text.slice(at), source);
}

process.once('exit', () => {
  const recorded: Recorded = Object.fromEntries([...callers].map(([file, all]) => [file, [...all]]));
  writeFileSync(options.result, JSON.stringify(recorded));
});
