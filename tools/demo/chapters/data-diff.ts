import { join } from 'node:path';
import { hasDuckdb } from '../../../engine/index.ts';
import { repository } from '../demo-servers.ts';
import { expectThat, type Demo } from '../demo.ts';
import { exampleFiles } from '../example-files.ts';
import { reviewPullRequest } from '../workflow.ts';

const root = join(import.meta.dirname, '../../..');
const branches = { head: 'feature/late-orders', base: 'main' };
const file = 'daily/build-orders.tran.yaml';

/** The composite action also tests a pull request, and shows which rows it changes. */
export async function dataDiff({ servers, narrator, rows }: Demo, projectId: string): Promise<void> {
  narrator.chapter('See what a change does to the data');
  if (!(await hasDuckdb())) {
    narrator.say('Left out: the optional package @duckdb/node-api, which runs pipelines, is not installed.');
    return;
  }
  const text = (await exampleFiles(projectId))[file] ?? '';
  const changed = text.replace('"Equal to"', '"Less than or equal to"');
  expectThat(changed !== text, `${file} has a filter to change`);
  await servers.builder.commit(
    branches.head,
    { [file]: changed },
    { from: 'main', message: 'Keep late orders' },
  );
  const number = servers.github.openPull(repository, { ...branches, title: 'Keep late orders' });
  narrator.say(
    `Pull request #${number} loads the orders up to a day, not only the orders of the day. The rules have nothing against it. With`,
  );
  narrator.say(
    '`tests: true`, the action also runs the tests with the old and the new pipeline, and compares the tables:',
  );
  const { outputs } = await reviewPullRequest(servers, number, branches, { tests: 'true', engine: root });
  expectThat(outputs['outcome'] === 'passed', 'the review finds no violation');
  expectThat(outputs['test-outcome'] === 'failed', 'two tests expect the orders of the day only');
  expectThat(outputs['changed-tables'] === '1', 'the data of one table changes');
  const body = servers.github.repository(repository).comments.at(-1)?.body ?? '';
  const data = body.slice(body.indexOf('<b>Data</b>'));
  narrator.quote(
    data
      .split('\n')
      .filter((line) => /^table |^ {2}/.test(line))
      .slice(0, 3),
  );
  narrator.say('One comment has the review, the two tests that fail, and these rows.');
  rows.push([`data of pull request #${number}`, 'actions/pull-request', 'one table changes']);
}
