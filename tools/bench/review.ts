import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';
import { checkIds } from '../../lib/config/project/review-schema.ts';
import { reviewFiles } from '../../lib/pipelines/review-files.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { inTurn, pairwise, type Row, runCommand } from './measure.ts';
import { reviewMemory } from './review-memory.ts';
import { everyRule, typicalPipeline } from './pipeline-project.ts';

/** All eight rules over 1,000 typical files, against only parsing the same texts with `yaml`. */
export async function review(): Promise<Row[]> {
  const pipelines = Array.from({ length: 1000 }, (_, seed) => ({
    path: `team ${seed % 10}/pipeline ${seed}.orch.yaml`,
    text: typicalPipeline(seed),
  }));
  const rulesFile = { path: '.platform/config/pipeline_quality_rules.yaml', text: everyRule };
  const { evaluating, reading, parsing } = await inTurn(3, {
    async evaluating() {
      const { results, reviewStatus } = await reviewFiles({ rulesFile, pipelines });
      if (results.size !== pipelines.length || reviewStatus !== 'PASSED')
        throw new Error('The review went wrong.');
    },
    async reading() {
      for (const { path: file, text } of pipelines)
        if (readYaml(text, { file }).problems.length > 0) throw new Error('The reading went wrong.');
    },
    async parsing() {
      for (const { text } of pipelines) parse(text);
    },
  });
  const against = { referenceName: '`yaml` parsing them', reference: parsing };
  return [
    { what: 'reading 1,000 files', ours: reading, ...against },
    { what: 'review of 1,000 files, all rules', ours: evaluating, ...against },
    await preCommit(),
    await reviewMemory(),
  ];
}

/** A pre-commit review from the shell, all checks on: five staged files in a project of 1,000. */
async function preCommit(): Promise<Row> {
  const project = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    const put = async (file: string, text: string) => {
      await mkdir(path.dirname(path.join(project, file)), { recursive: true });
      await writeFile(path.join(project, file), text);
    };
    const git = (...args: string[]) =>
      runCommand('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
        cwd: project,
      });
    const fileOf = (index: number) => `team-${index % 10}/pipeline-${index}.orch.yaml`;
    for (let index = 0; index < 1000; index += 1) await put(fileOf(index), typicalPipeline(index));
    await put('.platform/config/pipeline_quality_rules.yaml', everyRule);
    const checks = checkIds.map((check) => `${check}: error`).join(', ');
    await put('millrace.yaml', `version: 1\nreview: { scope: changed, checks: { ${checks} } }\n`);
    await git('init', '-q');
    await git('add', '-A');
    await git('commit', '-qm', 'A project of a thousand pipelines');
    for (let index = 0; index < 5; index += 1)
      await put(fileOf(index), `${typicalPipeline(index)}# touched\n`);
    await git('add', '-A');
    const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
    const { ours, reference } = await pairwise(
      9,
      () => runCommand(process.execPath, ['--', main, 'review', '--local', '--staged'], { cwd: project }),
      () => runCommand(process.execPath, ['--', main, '--help'], { cwd: project }),
    );
    const what = 'pre-commit review of 5 files in 1,000';
    return { what, ours, referenceName: '`millrace --help`', reference };
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}
