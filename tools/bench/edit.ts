import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { openDataGraph } from '../../flows/data-graph/bind/bind-project.ts';
import { compile } from '../../flows/data-graph/compile/compile.ts';
import { overlayProject } from '../../flows/pipeline-tests/files/overlay-project.ts';
import { openTestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { growthProject } from './growth-project.ts';

// What the language server computes after an edit: `node tools/bench/edit.ts [PIPELINES]` (default: 1,000).
const pipelines = Number(process.argv[2] ?? '1000');
const rounds = 20;
const { signal } = new AbortController();
const directory = mkdtempSync(path.join(tmpdir(), 'millrace-edit-'));
try {
  for (const [file, text] of growthProject(pipelines)) {
    const target = path.join(directory, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const saved = openTestProject(directory, 'WAREHOUSE_ONE', {
    files: { include: ['**/*'] },
    sharedSource: undefined,
    parsed: new Map(),
  });
  await using graph = await openDataGraph(saved);
  compile(await graph.update(saved, signal));
  const file = saved.pipelines.find((name) => /\/clean-\d+\.tran\.yaml$/.test(name)) ?? '';
  const text = saved.text(file) ?? '';
  for (const [what, edited] of [
    ['an expression', text.replace('* 2', '* 3')],
    ['the name of a column that others read', text.replace('DOUBLED]', 'TWICE]')],
  ] as const) {
    const cpu: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const contents = new Map([[file, Buffer.from(round % 2 === 0 ? edited : text)]]);
      const before = process.cpuUsage();
      compile(await graph.update(overlayProject(saved, { contents }), signal));
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1000);
    }
    const sorted = cpu.toSorted((a, b) => a - b);
    const [median = 0, slow = 0] = [sorted[rounds / 2], sorted[rounds - 2]];
    process.stdout.write(
      `${pipelines} pipelines, an edit of ${what}: ${median.toFixed(0)} ms of processor time (median of ${rounds}), ${slow.toFixed(0)} ms (95 %)\n`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
