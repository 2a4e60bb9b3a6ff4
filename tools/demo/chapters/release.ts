import { repository } from '../demo-servers.ts';
import { expectThat, type Demo } from '../demo.ts';
import { release } from '../workflow.ts';

/** The composite action releases a tag. Returns the tagged commit. */
export async function releaseTag({ servers, narrator, rows }: Demo, tag: string): Promise<string> {
  narrator.chapter(`Release the tag ${tag}`);
  const main = (await servers.github.repository(repository).git.commit('refs/heads/main')) ?? '';
  const commit = await servers.builder.tag(tag, main, `Release ${tag}`);
  const result = await release(servers, tag, commit);
  expectThat(result.exitCode === 0, `the release of ${tag} succeeds:\n${result.log}`);
  const { version, environment, outcome } = result.outputs;
  expectThat(
    outcome === 'passed' && version === tag && environment === 'dev',
    'the artifact is published to dev',
  );
  narrator.say(
    `The workflow runs actions/release. It publishes the files of commit ${commit.slice(0, 12)} as version ${tag} to dev,`,
  );
  narrator.say(
    `and the shared pipelines as version ${tag} of "finance" (${result.outputs['shared-outcome'] ?? ''}).`,
  );
  rows.push([`release of ${tag}`, 'actions/release', 'artifact and shared pipelines published']);
  return commit;
}
