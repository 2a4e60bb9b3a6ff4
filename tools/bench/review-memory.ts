import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { checkIds } from '../../lib/config/project/review-schema.ts';
import { type Row, sampleOf, timed } from './measure.ts';
import { everyRule, typicalPipeline } from './pipeline-project.ts';

const run = promisify(execFile);
const count = 10_000;
/** Says the kernel's own mark of the process's memory when it ends, in KiB. */
const tellPeak = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    let peak = process.resourceUsage().maxRSS;
    try { peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
    process.stderr.write('peak ' + peak + '\\n');
  });
`)}`;

/** All rules and checks over 10,000 typical files of a commit, from the shell, with the most memory that it took. */
export async function reviewMemory(): Promise<Row> {
  const project = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  let peak = 0;
  try {
    await commitProject(project);
    const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
    // Once, without a warm-up: each of the two takes many seconds.
    const ours = await timed(async () => {
      const args = ['--import', tellPeak, '--', main, 'review', '--local'];
      const { stderr } = await run(process.execPath, args, { cwd: project });
      peak = Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024;
    });
    const reference = await timed(async () => {
      for (let index = 0; index < count; index += 1) parse(typicalPipeline(index));
    });
    const what = `review of 10,000 files from the shell (peak memory ${peak.toFixed(0)} MiB)`;
    return {
      what,
      ours: sampleOf([ours]),
      referenceName: '`yaml` parsing them',
      reference: sampleOf([reference]),
    };
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

/** Ten thousand files in git without writing them to the disk one by one. */
async function commitProject(project: string): Promise<void> {
  const checks = checkIds.map((check) => `${check}: error`).join(', ');
  const config = `version: 1\nreview: { scope: all, checks: { ${checks} } }\n`;
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const put = (file: string, text: string) => `M 100644 inline ${file}\n${data(text)}`;
  const changes = [put('.platform/config/pipeline_quality_rules.yaml', everyRule)];
  for (let index = 0; index < count; index += 1)
    changes.push(put(`team-${index % 10}/pipeline-${index}.orch.yaml`, typicalPipeline(index)));
  const head = `commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\n${data('A project')}`;
  const git = (args: readonly string[], input = '') => execFileSync('git', args, { cwd: project, input });
  git(['init', '-q', '-b', 'main']);
  git(['fast-import', '--quiet'], head + changes.join(''));
  await writeFile(path.join(project, 'millrace.yaml'), config);
}
