import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { startPlatform } from '../../platform/index.ts';
import { pairwise, type Row, runCommand } from './measure.ts';
import { typicalPipeline } from './pipeline-project.ts';

/**
 * `millrace publish` of 1,000 files from the shell, against one `curl` that sends the same files, whose paths were
 * written into its configuration beforehand. Ours also reads git, checks and hashes each file, and looks first
 * whether the version is there.
 */
export async function publish(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  await using platform = await startPlatform({});
  try {
    const project = path.join(folder, 'project');
    const files = Array.from(
      { length: 1000 },
      (_, index) => `team-${index % 10}/pipeline-${index}.orch.yaml`,
    );
    for (const [index, file] of files.entries()) {
      await mkdir(path.dirname(path.join(project, file)), { recursive: true });
      await writeFile(path.join(project, file), typicalPipeline(index));
    }
    const git = (...args: string[]) =>
      runCommand('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
        cwd: project,
      });
    await git('init', '-q');
    await git('add', '-A');
    await git('commit', '-qm', 'A project of a thousand pipelines');

    const env: Record<string, string | undefined> = { ...process.env, ...platform.environment() };
    const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
    const forms = files.map((file) => `form = "${file}=@${file};type=text/plain"`);
    let run = 0;
    const { ours, reference } = await pairwise(
      5,
      () => {
        run += 1;
        const args = [
          'publish',
          '--version',
          `ours-${run}`,
          '--environment',
          'dev',
          '--no-connectors',
          '--json',
        ];
        return runCommand(process.execPath, [main, ...args], { cwd: project, env });
      },
      async () => {
        const config = path.join(folder, `curl-${run}.conf`);
        await writeFile(
          config,
          [
            `url = "${env.MILLRACE_BASE_URL}/v1/projects/${env.MILLRACE_PROJECT_ID}/artifacts"`,
            `header = "authorization: Bearer ${env.MILLRACE_TOKEN}"`,
            `header = "versionName: curl-${run}"`,
            'header = "environmentName: dev"',
            'header = "commitHash: 0000000000000000000000000000000000000000"',
            ...forms,
          ].join('\n'),
        );
        await runCommand('curl', ['-sS', '--fail', '-K', config], { cwd: project });
      },
    );
    return [{ what: 'publish of 1,000 files', ours, referenceName: '`curl` sending them', reference }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
