import path from 'node:path';
import process from 'node:process';
import { openTestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { isFound } from './is-found.ts';
import { type Fault, plantFaults } from './plant-faults.ts';

const example = path.resolve(import.meta.dirname, '../../examples/warehouse');

const project = openTestProject(example, 'WAREHOUSE_ONE');
const faults = project.pipelines.flatMap((file) => plantFaults(file, project.text(file) ?? ''));
const missed: Fault[] = [];
for (const fault of faults) if (!(await isFound(fault, project))) missed.push(fault);
const lines = missed.map(({ file, line, kind }) => `  not found: ${file}:${line} ${kind}`);
const foundCount = faults.length - missed.length;
process.stdout.write(
  [`${foundCount} of ${faults.length} planted faults were found by the tests.`, ...lines, ''].join('\n'),
);
if (process.argv.includes('--strict') && missed.length > 0) process.exitCode = 1;
