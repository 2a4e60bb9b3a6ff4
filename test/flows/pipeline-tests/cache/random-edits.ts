import { expect } from 'vitest';
import { seeded } from '../../../chaos/environment/seeded.ts';
import { cachedProject, projectFiles, reader } from './cached-project.ts';

/** Files with the texts that they may have; undefined: the file is not there. */
const choices: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'plain.tran.yaml': [reader('PLAIN'), reader('"PLAIN"'), reader('CSV'), 'pipeline: ['],
  'plain.test.yaml': [
    projectFiles['plain.test.yaml'],
    projectFiles['plain.test.yaml'].replace('ID: 2', 'ID: 1'),
    projectFiles['plain.test.yaml'].replace('count: 2', 'count: 3'),
    undefined,
  ],
  'tests/data/rows.csv': ['ID\n1\n', 'ID\n2\n', 'ID\n1\n\n', undefined],
  'called.tran.yaml': [reader('CALLED'), reader('CALLED').replace('COPY', 'ELSE'), undefined],
  'caller.orch.yaml': [
    projectFiles['caller.orch.yaml'],
    projectFiles['caller.orch.yaml'].replace('fileName: sql/script.sql', 'fileName: sql/other.sql'),
    // A variable of the project in a pipeline makes its name known.
    `${projectFiles['caller.orch.yaml']}    Note: { type: end-success, parameters: { x: "\${day}" } }\n`,
  ],
  'sql/script.sql': [
    'update COPY set ID = ID;',
    'update COPY set ID = ID + 1;',
    'update COPY set ID = ${day};',
    undefined,
  ],
  'sql/other.sql': ['delete from COPY;', 'select 1;', undefined],
  'caller.test.yaml': [
    projectFiles['caller.test.yaml'],
    projectFiles['caller.test.yaml'].replace('given:', 'variables: { day: 1 }, given:'),
    projectFiles['caller.test.yaml'].replace('given:', 'variables: { day: 2 }, given:'),
  ],
  'create.orch.yaml': [
    projectFiles['create.orch.yaml'],
    projectFiles['create.orch.yaml'].replace('NUMBER', 'VARCHAR'),
    undefined,
  ],
  'tables.yaml': ['PLAIN: { ID: VARCHAR }\n', 'PLAIN: { ID: NUMBER }\n', 'CSV: { ID: VARCHAR }\n', undefined],
  'millrace.yaml': [
    'version: 1\n',
    'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n',
    'version: 1\nschemas: [tables.yaml]\n',
    'version: 1\nrelease: { shared: { prefix: own } }\n',
  ],
  'new.tran.yaml': [reader('NEW'), undefined],
};

/**
 * Edits files at random, and compares the tests with the cache to those without it: each result of the cache is what the test gives
 * now. Returns how many results came from the cache.
 */
export async function editAtRandom({
  seed,
  edits,
}: {
  readonly seed: number;
  readonly edits: number;
}): Promise<number> {
  const random = seeded(seed);
  using project = cachedProject(projectFiles);
  const names = Object.keys(choices);
  const outcome = ({ tests, problems = [] }: Awaited<ReturnType<typeof project.results>>) => ({
    tests: tests.map(({ file, line, name, pipeline, status }) => ({ file, line, name, pipeline, status })),
    problems,
  });
  let cached = 0;
  for (let edit = 0; edit < edits; edit += 1) {
    const file = random.pick(names);
    const texts = choices[file] ?? [];
    const text = texts[random.below(texts.length)];
    if (text !== undefined) project.write(file, text);
    else if (project.has(file)) project.remove(file);
    const withCache = await project.results();
    cached += withCache.tests.filter(({ isCached }) => isCached === true).length;
    const without = await project.results({ isCached: false });
    expect({ seed, edit, file, text, ...outcome(withCache) }).toEqual({
      seed,
      edit,
      file,
      text,
      ...outcome(without),
    });
  }
  return cached;
}
