import { statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { corpusLines, corpusReport } from './corpus-report.ts';
import { findProjects } from './find-projects.ts';
import { type ProjectRecord, runProject } from './run-project.ts';

const usage =
  'Usage: npm run corpus -- FOLDER [--json] [--time-limit SECONDS]\nFOLDER is a project, or has a project in each of its folders. The time limit is for each pipeline (default: 60).\n';

const asked = readArguments(process.argv.slice(2));
if (asked === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const { folder, json, timeLimitMs } = asked;
  const projects = findProjects(folder);
  const records: ProjectRecord[] = [];
  for (const [index, project] of projects.entries()) {
    const head = `${project === '' ? '.' : project} (project ${index + 1} of ${projects.length})`;
    const onStep = (step: string) => process.stderr.write(`${head}: ${step}\n`);
    records.push(await runProject(folder, project, { timeLimitMs, onStep }));
  }
  const report = corpusReport(records);
  const lines = json ? [JSON.stringify(report, null, 2)] : corpusLines(report);
  process.stdout.write(`${lines.join('\n')}\n`);
  if (projects.length === 0) {
    process.stderr.write(`${folder} has no pipeline (.orch.yaml or .tran.yaml).\n`);
    process.exitCode = 2;
  }
}

/** Undefined if the arguments are wrong. Names are relative to the folder in which the user typed the command. */
function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args.filter((word) => word !== '--'),
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, 'time-limit': { type: 'string', default: '60' } },
    });
    const [name, ...more] = positionals;
    const timeLimitMs = Number(values['time-limit']) * 1000;
    if (name === undefined || more.length > 0 || !(timeLimitMs > 0)) return undefined;
    const folder = path.resolve(process.env['INIT_CWD'] ?? process.cwd(), name);
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder ? { folder, json: values.json, timeLimitMs } : undefined;
  } catch {
    return undefined;
  }
}
