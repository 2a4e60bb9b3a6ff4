import { repository } from '../demo-servers.ts';
import { expectThat, type Demo } from '../demo.ts';
import { reviewPullRequest } from '../workflow.ts';

const branch = 'feature/returns';
const file = 'daily/load returns.orch.yaml';
const branches = { head: branch, base: 'main' };

/** The pipeline of the pull request, with one component of the given name. */
const pipeline = (component: string) => `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start:
      type: "start"
      transitions:
        unconditional:
        - "${component}"
      parameters:
        componentName: "Start"
    ${component}:
      type: "sql-executor"
      transitions:
        success:
        - "Done"
      parameters:
        componentName: "${component}"
        scriptLocation: "Component"
        sqlScript: "insert into returns select * from staged_returns"
    Done:
      type: "end-success"
      parameters:
        componentName: "Done"
`;

/** The composite action reviews a pull request, and again after its fix. */
export async function pullRequest({ servers, narrator, rows }: Demo, _projectId: string): Promise<void> {
  narrator.chapter('Review a pull request');
  await servers.builder.commit(
    branch,
    { [file]: pipeline('load_returns') },
    { from: 'main', message: 'Load returns' },
  );
  const number = servers.github.openPull(repository, { ...branches, title: 'Load returns' });
  narrator.say(`Pull request #${number} adds "${file}". The workflow runs actions/pull-request:`);

  const first = await reviewPullRequest(servers, number, branches);
  narrator.quote(
    first.annotations.map(({ level, file: path, line, message }) => `${level} ${path}:${line} ${message}`),
  );
  const [worst] = first.annotations;
  expectThat(first.exitCode === 1, 'the review of a component with a wrong name fails the step');
  expectThat(worst?.file === file && worst.line === 12, 'the annotation is on the line of the component');
  narrator.say(
    'The annotation is on the line of the component. The step failed, which blocks the merge if the check is required.',
  );
  rows.push([`review of pull request #${number}`, 'actions/pull-request', 'failed: one violation']);

  await servers.builder.commit(
    branch,
    { [file]: pipeline('Load Returns') },
    { message: 'Follow the naming rule' },
  );
  const second = await reviewPullRequest(servers, number, branches);
  expectThat(second.exitCode === 0, `the review of the fixed pipeline passes:\n${second.log}`);
  const { comments } = servers.github.repository(repository);
  expectThat(comments.length === 1, 'one comment is kept up to date');
  narrator.say('The component gets a valid name. The second review passes, and the same comment shows it:');
  narrator.quote(readable(comments[0]?.body ?? '').slice(0, 4));
  await servers.builder.commit(
    'main',
    { [file]: pipeline('Load Returns') },
    { message: 'Load returns (#1)' },
  );
  narrator.say('The pull request is merged.');
  rows.push([`second review of pull request #${number}`, 'actions/pull-request', 'passed']);
}

/** The comment as GitHub shows it: without its marker, empty lines and character references. */
function readable(markdown: string): string[] {
  return markdown
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .split('\n')
    .filter((line) => line.trim() !== '');
}
