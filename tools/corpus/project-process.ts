import { messageOf } from '../../lib/core/errors/message-of.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { outcomeOf } from '../../cli/tests/init-summary.ts';
import { knownTables } from '../../flows/data-graph/bind/known-tables.ts';
import { runTests } from '../../flows/pipeline-tests/run/run-tests.ts';
import { writeFirstTests } from '../../flows/pipeline-tests/first-test/write-first-test.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { openProject } from './find-projects.ts';
import { reasonsOfFirstTest, reasonsOfTests } from './reasons.ts';
import type { Answer, Task } from './task.ts';

/** The process for one copy of a project. It does one task after another, so that a task can be stopped by ending the process. */
const [, , directory = ''] = process.argv;
const project = openProject(directory);
const context = { clock: systemClock, signal: new AbortController().signal };

const known = knownTables(project, context.signal);

process.on('message', (task: Task) => {
  void answer(task).then((result) => process.send?.(result));
});
process.send?.('ready');

async function answer(task: Task): Promise<Answer> {
  const [cpu, begin] = [process.cpuUsage(), performance.now()];
  const result = await attempt(task);
  const { user, system } = process.cpuUsage(cpu);
  return { ...result, seconds: (performance.now() - begin) / 1000, cpuSeconds: (user + system) / 1e6 };
}

async function attempt(task: Task) {
  try {
    return task.kind === 'init' ? await writeTest(task.pipeline) : await test(task.file);
  } catch (error) {
    const message = messageOf(error);
    return { status: 'crashed', reasons: [{ kind: 'crashed', what: message }] } as const;
  }
}

async function writeTest(pipeline: string) {
  for await (const result of writeFirstTests([pipeline], project, { ...context, knownTables: known })) {
    const text = result.first?.text ?? '';
    if (text !== '') writeFileSync(path.join(directory, result.file), text);
    return { status: outcomeOf(result), reasons: reasonsOfFirstTest(result) };
  }
  throw new Error('a pipeline without a result');
}

async function test(file: string) {
  const report = await runTests({ project, files: [file], jobs: 1, withCoverage: false }, context);
  const { passed, failed, refused, problems = [] } = report;
  return {
    status: 'ran',
    tests: { passed, failed, refused, wrong: problems.length === 0 ? 0 : 1 },
    reasons: reasonsOfTests(report),
  } as const;
}
