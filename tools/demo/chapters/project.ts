import { numberOf } from '../../../lib/core/number-of.ts';
import { exampleFiles } from '../example-files.ts';
import { provision } from '../provision.ts';
import { repository } from '../stage.ts';
import type { Plot } from '../plot.ts';

/** A project with three environments on the platform, and its files in a git repository. */
export async function project({ stage, tell, rows }: Plot): Promise<string> {
  tell.chapter('A project is set up');
  tell.say(`The local platform listens on ${stage.platform.baseUrl}; it implements the whole specification.`);
  const projectId = await provision(stage.client);
  tell.say(
    'Through its API: a project, a warehouse connection, the environments dev, test and prod, a linked repository.',
  );
  const files = await exampleFiles(projectId);
  await stage.builder.commit('main', files, { message: 'The warehouse project' });
  tell.say(
    `examples/warehouse, ${numberOf(Object.keys(files).length, 'file')}, is now the main branch of ${repository}.`,
  );
  rows.push(['project with dev, test, prod', 'API, four calls', 'created']);
  return projectId;
}
