import { numberOf } from '../../../lib/core/text/number-of.ts';
import { exampleFiles } from '../example-files.ts';
import { provision } from '../provision.ts';
import { repository } from '../demo-servers.ts';
import type { Demo } from '../demo.ts';

/** Creates a project with three environments on the platform, and its files in a git repository. */
export async function project({ servers, narrator, rows }: Demo): Promise<string> {
  narrator.chapter('Create a project');
  narrator.say(
    `The local platform listens on ${servers.platform.baseUrl}. It implements the whole specification.`,
  );
  const projectId = await provision(servers.client);
  narrator.say(
    'Its API creates a project, a warehouse connection, the environments dev, test and prod, and the link to a repository.',
  );
  const files = await exampleFiles(projectId);
  await servers.builder.commit('main', files, { message: 'The warehouse project' });
  narrator.say(
    `The main branch of ${repository} contains examples/warehouse (${numberOf(Object.keys(files).length, 'file')}).`,
  );
  rows.push(['project with dev, test, prod', 'platform API', 'created']);
  return projectId;
}
