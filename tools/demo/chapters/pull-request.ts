import { repository } from '../stage.ts';
import { expectThat, type Plot } from '../plot.ts';
import { reviewPullRequest } from '../workflow.ts';

const branch = 'feature/returns';
const file = 'daily/load returns.orch.yaml';
const branches = { head: branch, base: 'main' };

/** The pipeline of the pull request; its one component is named as given. */
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

/** A pull request is reviewed by the composite action, mended, and reviewed again. */
export async function pullRequest({ stage, tell, rows }: Plot, _projectId: string): Promise<void> {
  tell.chapter('A pull request is reviewed');
  await stage.builder.commit(
    branch,
    { [file]: pipeline('load_returns') },
    { from: 'main', message: 'Load returns' },
  );
  const number = stage.github.openPull(repository, { ...branches, title: 'Load returns' });
  tell.say(`Pull request #${number} adds "${file}". The workflow runs actions/pull-request:`);

  const first = await reviewPullRequest(stage, number, branches);
  tell.quote(
    first.annotations.map(({ level, file: path, line, message }) => `${level} ${path}:${line} ${message}`),
  );
  const [worst] = first.annotations;
  expectThat(first.exitCode === 1, 'the review of a misnamed component fails the step');
  expectThat(worst?.file === file && worst.line === 12, 'the annotation stands on the line of the component');
  tell.say(
    'The annotation stands on the very line of the component, and the step failed: nothing can be merged.',
  );
  rows.push([`review of pull request #${number}`, 'actions/pull-request', 'failed: one violation']);

  await stage.builder.commit(
    branch,
    { [file]: pipeline('Load Returns') },
    { message: 'Name it as the rules want' },
  );
  const second = await reviewPullRequest(stage, number, branches);
  expectThat(second.exitCode === 0, `the review of the mended pipeline passes:\n${second.log}`);
  const { comments } = stage.github.repository(repository);
  expectThat(comments.length === 1, 'one comment is kept up to date');
  tell.say('The component is renamed and pushed. The second review passes, and the one comment now says so:');
  tell.quote(readable(comments[0]?.body ?? '').slice(0, 4));
  await stage.builder.commit('main', { [file]: pipeline('Load Returns') }, { message: 'Load returns (#1)' });
  tell.say('Merged.');
  rows.push([`review of pull request #${number}, mended`, 'actions/pull-request', 'passed']);
}

/** The comment without its marker and empty lines. */
function readable(markdown: string): string[] {
  return markdown
    .replaceAll(/<!--.*?-->/gs, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
