import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { updateReliabilityPage, writeReliabilityPage } from './reliability-page.ts';
import type { TrialResult } from './run-trials.ts';
import { readScale } from './scale.ts';

const scale = readScale('1', ['T1', 'T2', 'T3']) ?? expect.unreachable();
const common = { seed: 4, scale, atOnce: 2, seconds: 60 };

function resultOf(id: string, verdict: TrialResult['verdict'], counted: number): TrialResult {
  const run = async () => ({});
  const trial = { id, title: `Faults | of ${id}`, criterion: 'no push is lost', run };
  const reason = verdict === 'failed' ? 'a push was lost' : '';
  return { trial, verdict, reason, counts: { kills: counted }, seconds: counted };
}

test('a run of some trials replaces their results on the page, and notes when and how it ran', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'reliability.md');
  const read = () => readFileSync(file, 'utf8');
  const [one, two, three] = [
    resultOf('T1', 'passed', 1),
    resultOf('T2', 'failed', 2),
    resultOf('T3', 'passed', 3),
  ];

  writeReliabilityPage(file, { ...common, circumstances: 'on Monday', results: [one, two, three] });
  expect(read()).toContain('2 trials passed, 1 failed.');
  expect(read()).toContain('**failed**: a push was lost');

  const again = resultOf('T2', 'passed', 22);
  expect(updateReliabilityPage(file, { ...common, circumstances: 'on Tuesday', results: [again] })).toBe(
    true,
  );
  const updated = read();
  writeReliabilityPage(file, { ...common, circumstances: 'on Monday', results: [one, again, three] });
  const note =
    '**Later, again**: T2 (`npm run test:chaos -- --seed 4 --scale 1 --at-once 2 T2`), on Tuesday.\n\n';
  expect(updated.trimEnd()).toBe(read().replace('| # |', `${note}| # |`).trimEnd());
});

test('a trial that the page does not have yet gets a row and a section', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'reliability.md');
  const read = () => readFileSync(file, 'utf8');
  const [one, two] = [resultOf('T1', 'passed', 1), resultOf('T2', 'passed', 2)];
  writeReliabilityPage(file, { ...common, circumstances: 'on Monday', results: [one] });
  updateReliabilityPage(file, { ...common, circumstances: 'on Tuesday', results: [two] });
  const updated = read();
  expect(updated).toContain('2 trials passed, 0 failed.');
  writeReliabilityPage(file, { ...common, circumstances: 'on Monday', results: [one, two] });
  const note =
    '**Later, again**: T2 (`npm run test:chaos -- --seed 4 --scale 1 --at-once 2 T2`), on Tuesday.\n\n';
  expect(updated.trimEnd()).toBe(read().replace('| # |', `${note}| # |`).trimEnd());
});

test('the note of a run names only the trials whose results are still its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'reliability.md');
  const results = ['T1', 'T2', 'T3'].map((id) => resultOf(id, 'passed', 1));
  writeReliabilityPage(file, { ...common, circumstances: 'on Monday', results });
  const run = (circumstances: string, ...ids: readonly string[]) =>
    updateReliabilityPage(file, {
      ...common,
      circumstances,
      results: ids.map((id) => resultOf(id, 'passed', 2)),
    });
  const notes = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('**Later, again**'))
      .map((line) => line.replace(/ \(`.*`\)/, ''));
  run('on Tuesday', 'T1', 'T2');
  run('on Wednesday', 'T2');
  expect(notes()).toEqual(['**Later, again**: T1, on Tuesday.', '**Later, again**: T2, on Wednesday.']);
  run('on Thursday', 'T1');
  expect(notes()).toEqual(['**Later, again**: T2, on Wednesday.', '**Later, again**: T1, on Thursday.']);
});

test('without a page, nothing is written', () => {
  const file = path.join(tmpdir(), 'millrace-no-page', 'reliability.md');
  expect(updateReliabilityPage(file, { ...common, circumstances: '', results: [] })).toBe(false);
});
