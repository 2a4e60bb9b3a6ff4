import { repository } from '../stage.ts';
import { expectThat, type Plot } from '../plot.ts';
import { release } from '../workflow.ts';

/** A tag is released by the composite action; gives the tagged commit. */
export async function releaseOfVersion({ stage, tell, rows }: Plot, tag: string): Promise<string> {
  tell.chapter(`The tag ${tag} is released`);
  const main = (await stage.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const commit = await stage.builder.tag(tag, main, `Release ${tag}`);
  const result = await release(stage, tag, commit);
  expectThat(result.exitCode === 0, `the release of ${tag} succeeds:\n${result.log}`);
  const { version, environment, outcome } = result.outputs;
  expectThat(
    outcome === 'passed' && version === tag && environment === 'dev',
    'the artifact is published to dev',
  );
  tell.say(
    `The workflow runs actions/release: the files of commit ${commit.slice(0, 12)} become version ${tag} in dev,`,
  );
  tell.say(
    `and its shared pipelines version ${tag} of "finance" (${result.outputs['shared-outcome'] ?? ''}).`,
  );
  rows.push([`release of ${tag}`, 'actions/release', 'artifact and shared pipelines published']);
  return commit;
}
