import { describe, expect, test } from 'vitest';
import { createCliEnvironment } from '../cli-environment.ts';
import { smallPipeline } from '../../flows/flow-environment.ts';

const settings = (more = '') =>
  `version: 1\nenvironments: [dev, test, prod]\nrelease: { shared: { prefix: fin } }\n${more}`;
const shared = 'pipelines:\n  - { pipeline: daily/load, id: load }\n';

async function released() {
  const environment = await createCliEnvironment();
  const { work } = environment;
  work.write('millrace.yaml', settings());
  work.write('.platform/shared-pipelines.yaml', shared);
  work.commit('release');
  work.git('tag', 'v1');
  return environment;
}

describe('a publication has the settings of its commit', () => {
  test('not those on disk, for its files, its environment and the prefix of its shared pipelines', async () => {
    await using environment = await released();
    const { work, run } = environment;
    work.write(
      'millrace.yaml',
      settings('files: { exclude: [daily/slow*] }\n').replace('fin', 'other').replace('dev, test', 'test'),
    );
    const project = await run(['publish', '--tag', 'v1', '--dry-run', '--json']);
    expect(JSON.parse(project.stdout)).toMatchObject({
      environment: 'dev',
      files: [{ path: 'daily/load.orch.yaml' }, { path: 'daily/slow.orch.yaml' }],
    });
    expect(project.stderr).toContain('The millrace.yaml of the commit ');
    const ofShared = await run(['publish-shared', '--tag', 'v1', '--dry-run', '--json']);
    expect(JSON.parse(ofShared.stdout)).toMatchObject({ prefix: 'fin' });
    // A later commit has other settings, and a tag of before keeps its own.
    work.commit('other settings');
    const later = await run(['publish', '--tag', 'v1', '--dry-run', '--json']);
    expect(JSON.parse(later.stdout)).toMatchObject({ environment: 'dev', files: [{}, {}] });
    expect(later.stderr).not.toContain('on disk');
    const head = await run(['publish', '--version', 'v2', '--dry-run', '--json']);
    expect(JSON.parse(head.stdout)).toMatchObject({ environment: 'test', files: [{}] });
  });

  test('unless --config names a file, or the commit has none', async () => {
    await using environment = await released();
    const { work, run } = environment;
    work.write('other.yaml', settings('files: { exclude: [daily/slow*] }\n'));
    const named = await run(['publish', '--tag', 'v1', '--dry-run', '--json', '--config', 'other.yaml']);
    expect(JSON.parse(named.stdout)).toMatchObject({ files: [{ path: 'daily/load.orch.yaml' }] });
    work.git('rm', '-q', '--cached', 'millrace.yaml');
    work.git('commit', '-qm', 'without settings');
    const without = await run(['publish', '--version', 'v2', '--dry-run', '--json']);
    expect(JSON.parse(without.stdout)).toMatchObject({ environment: 'dev' });
    expect(without.stderr).toMatch(
      /millrace\.yaml is not in the commit [0-9a-f]{12}, so the file on disk applies\./,
    );
  });

  test('a commit that is not the one of the tag is refused', async () => {
    await using environment = await released();
    const { work, run } = environment;
    work.commit('later');
    for (const command of ['publish', 'publish-shared']) {
      const plan = (...args: string[]) => run([command, '--dry-run', ...args]);
      expect(await plan('--tag', 'v1', '--commit', 'HEAD')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/The tag "v1" is the commit [0-9a-f]{12}, but --commit names/),
      });
      expect(await plan('--tag', 'v1', '--commit', 'HEAD~1')).toMatchObject({ code: 0 });
      expect(await plan('--version', 'v1', '--commit', 'HEAD')).toMatchObject({ code: 0 });
    }
  });

  test('an invalid file of the commit is an error at its line', async () => {
    await using environment = await released();
    const { work, run } = environment;
    work.write('millrace.yaml', 'version: 1\nfiles: { includes: [a] }\n');
    work.write('daily/load.orch.yaml', smallPipeline);
    work.commit('invalid');
    work.write('millrace.yaml', settings());
    const { code, stderr } = await run(['publish', '--version', 'v2', '--dry-run']);
    expect(code).toBe(2);
    expect(stderr).toContain('millrace.yaml:2:10');
  });
});
