import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBaseline, writeBaseline } from '../../../flows/findings/baseline.ts';
import { decide } from '../../../flows/review/conclude/gate.ts';
import { openWorkCopy } from '../../../lib/git/work-tree/work-copy.ts';
import {
  baselineFile,
  namingRule,
  pipelineOf,
  type ReviewProject,
  reviewProject,
  rulesPath,
} from '../review/review-project.ts';

describe('a baseline', () => {
  let project: ReviewProject;
  /** Records what is there, as `--update-baseline` does. */
  const record = async () => {
    const { nextBaseline } = await project.review();
    project.write(baselineFile, writeBaseline(nextBaseline));
    project.commit('The baseline');
  };
  const states = async (more = {}) =>
    (await project.review(more)).findings.map(
      ({ state, file, component }) => `${state} ${file} ${component}`,
    );

  beforeEach(() => {
    project = reviewProject();
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'Clean'));
    project.write('sub/b.orch.yaml', pipelineOf('Start', 'first', 'second'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  test('passes recorded findings and fails new ones', async () => {
    expect((await project.review()).outcome).toBe('failed');
    await record();
    const before = await project.review();
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'Clean', 'extra'));
    project.commit('One more');
    const after = await project.review();

    expect(before).toMatchObject({ outcome: 'passed', counts: { error: 0 } });
    expect(before.findings.map(({ state }) => state)).toEqual(['known', 'known', 'known']);
    expect(after).toMatchObject({ outcome: 'failed', counts: { error: 1 } });
    expect(after.findings[0]).toMatchObject({ state: 'new', component: 'extra' });
  });

  test('does not record that there is nothing to review', async () => {
    project.git('rm', '-qr', 'a.orch.yaml', 'sub');
    project.commit('No pipelines');
    await record();
    expect((await project.review()).findings).toMatchObject([
      { state: 'new', rule: 'millrace/no-pipelines' },
    ]);
  });

  test('survives moved lines, reordered components and touched neighbours', async () => {
    await record();
    project.write('a.orch.yaml', `# moved\n\n${pipelineOf('Start', 'Neighbour', 'Tidy', 'load')}`);
    project.write('sub/b.orch.yaml', pipelineOf('Start', 'second', 'first'));
    project.commit('Another order');

    expect((await states()).toSorted()).toEqual([
      'known a.orch.yaml load',
      'known sub/b.orch.yaml first',
      'known sub/b.orch.yaml second',
    ]);
  });

  test('follows a file through several renames, also one that is only staged', async () => {
    await record();
    project.git('mv', 'a.orch.yaml', 'b.orch.yaml');
    project.commit('Renamed');
    project.git('mv', 'b.orch.yaml', 'c.orch.yaml');
    project.commit('Renamed again');
    expect(await states()).toContain('known c.orch.yaml load');

    project.git('mv', 'c.orch.yaml', 'sub/d.orch.yaml');
    const snapshot = await openWorkCopy(project.directory, 'staged');
    expect(await states({ snapshot })).toContain('known sub/d.orch.yaml load');
    expect((await project.review({ snapshot })).outcome).toBe('passed');
  });

  test('lists fixed findings, and the next update removes them', async () => {
    await record();
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.git('rm', '-q', 'sub/b.orch.yaml');
    project.commit('Better');
    expect(await states()).toEqual([
      'fixed a.orch.yaml load',
      'fixed sub/b.orch.yaml first',
      'fixed sub/b.orch.yaml second',
    ]);

    await record();
    expect(await states()).toEqual([]);
  });

  test('ignores files that were not reviewed, and keeps their entries when it is updated', async () => {
    await record();
    const { findings, nextBaseline } = await project.review({ files: ['a.orch.yaml'] });

    expect(findings.map(({ state }) => state)).toEqual(['known']);
    expect(nextBaseline).toHaveLength(3);
  });

  test('of a pull request comes from its base, so that its own findings are new', async () => {
    await record();
    const base = project.git('rev-parse', 'HEAD');
    project.write('a.orch.yaml', pipelineOf('Start', 'load', 'sneaky'));
    project.commit('A new problem');
    await record();

    expect((await project.review()).outcome).toBe('passed');
    expect((await project.review({ policyCommit: base })).outcome).toBe('failed');
  });

  test('does not mark a finding as fixed if its check or rule did not run', async () => {
    project.write('a.orch.yaml', pipelineOf('Start', 'load').replace('"load"', '"load", "nowhere"'));
    project.commit('A reference to nothing');
    const checks = { 'dangling-reference': 'error' } as const;
    const { nextBaseline } = await project.review({ checks });
    project.write(baselineFile, writeBaseline(nextBaseline));
    project.commit('The baseline');
    const fixed = async (more = {}) =>
      (await project.review(more)).findings.flatMap(({ state, rule }) => (state === 'fixed' ? [rule] : []));
    expect(await fixed({ checks })).toEqual([]);
    // The check is off.
    expect(await fixed()).toEqual([]);
    // A file that cannot be read fixes nothing either.
    project.write('a.orch.yaml', 'pipeline: [\n');
    project.commit('Broken');
    expect(await fixed({ checks })).toEqual([]);
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.write(rulesPath, namingRule.replace('enabled: true', 'enabled: false'));
    project.commit('The reference is fixed, and the rule is off');
    const after = await project.review({ checks });
    expect(after.findings).toMatchObject([{ state: 'fixed', rule: 'millrace/dangling-reference' }]);
    // A finding that was not covered stays recorded.
    expect(after.nextBaseline.map(({ rule }) => rule)).toEqual([
      'component-naming-convention',
      'component-naming-convention',
      'component-naming-convention',
    ]);
  });

  test('recorded for some files holds each finding once, also findings in callers', async () => {
    const call = pipelineOf('Start', 'Call')
      .replace('sql-executor', 'run-orchestration')
      .concat('      parameters: { orchestrationJob: "missing/a" }\n');
    project.write('caller.orch.yaml', call);
    project.write('missing/a.orch.yaml', pipelineOf('Start', 'Work'));
    project.commit('A caller');
    project.git('rm', '-q', 'missing/a.orch.yaml');
    project.commit('Its target goes');
    const base = project.git('rev-parse', 'HEAD~1');
    const checks = { 'unknown-call': 'error' } as const;
    await record();
    const first = await project.review({ checks });
    project.write(baselineFile, writeBaseline(first.nextBaseline));
    project.commit('The baseline with the caller');
    const again = await project.review({ checks, base, scope: 'changed' });

    const prints = again.nextBaseline.map(({ fingerprint }) => fingerprint);
    expect(prints).toHaveLength(new Set(prints).size);
    expect(readBaseline(writeBaseline(again.nextBaseline), 'x')).toHaveLength(prints.length);
  });

  test('with the marks of a conflict is refused at that line', async () => {
    await record();
    const { nextBaseline } = await project.review();
    project.write(baselineFile, `<<<<<<< ours\n${writeBaseline(nextBaseline)}`);
    project.commit('Conflict');

    await expect(project.review()).rejects.toMatchObject({
      code: 'config-invalid',
      where: { file: baselineFile, line: 1 },
    });
  });

  test('merges in git where both sides added findings apart from each other', async () => {
    project.write('z.orch.yaml', pipelineOf('Start', 'zulu'));
    project.commit('A last file');
    await record();
    project.git('switch', '-q', '-c', 'side');
    project.write('0.orch.yaml', pipelineOf('Start', 'early'));
    project.commit('Early');
    await record();
    project.git('switch', '-q', 'main');
    project.write('y.orch.yaml', pipelineOf('Start', 'late'));
    project.commit('Late');
    await record();
    project.git('merge', '-q', 'side', '-m', 'Both');

    const { findings, outcome } = await project.review();
    expect(outcome).toBe('passed');
    expect(findings).toHaveLength(6);
  });
});

describe('the count of a known finding', () => {
  const rule = (id: string, key: string, count: number) =>
    `rules: [{ id: ${id}, enabled: true, enforcementLevel: error, config: { ${key}: ${count} } }]\n`;
  const components = (count: number) =>
    pipelineOf('Start', ...Array.from({ length: count - 1 }, (_, index) => `C${index}`));
  const outputs = (count: number) =>
    `type: "transformation"\nversion: "1.0"\npipeline:\n  components:\n${Array.from(
      { length: count },
      (_, index) => `    O${index}: { type: "table-output" }\n`,
    ).join('')}`;
  let project: ReviewProject;
  const write = (file: string, text: string) => {
    project.write(file, text);
    project.commit('Next');
  };
  const record = async () => {
    const { nextBaseline } = await project.review();
    write(baselineFile, writeBaseline(nextBaseline));
    return nextBaseline;
  };
  beforeEach(() => {
    project = reviewProject();
  });
  afterEach(() => project[Symbol.dispose]());

  test.each([
    ['maximum-components', 'maxComponents', 10, 'a.orch.yaml', components, 14, 54, 12],
    ['minimum-components', 'minComponents', 10, 'a.orch.yaml', components, 8, 5, 9],
    ['maximum-outputs', 'maxOutputs', 1, 'a.tran.yaml', outputs, 3, 4, 2],
  ] as const)('of %s may only get better', async (id, key, limit, file, pipeline, known, worse, better) => {
    project.write(rulesPath, rule(id, key, limit));
    write(file, pipeline(known));
    expect(await record()).toMatchObject([{ rule: id, count: known }]);
    expect(await project.review()).toMatchObject({ outcome: 'passed', findings: [{ state: 'known' }] });

    write(file, pipeline(worse));
    const grown = await project.review();
    expect(grown).toMatchObject({ outcome: 'failed', findings: [{ state: 'new', count: worse }] });
    expect(grown.findings[0]?.message).toContain(`the baseline knows ${known}`);
    expect(grown.nextBaseline).toMatchObject([{ count: worse }]);

    write(file, pipeline(better));
    expect(await project.review()).toMatchObject({ outcome: 'passed', findings: [{ state: 'known' }] });
    // Recorded again, the better count is the one that holds.
    expect(await record()).toMatchObject([{ count: better }]);
    write(file, pipeline(known));
    expect((await project.review()).outcome).toBe('failed');
  });

  test('follows a renamed file', async () => {
    project.write(rulesPath, rule('maximum-components', 'maxComponents', 10));
    write('a.orch.yaml', components(14));
    await record();
    project.git('mv', 'a.orch.yaml', 'b.orch.yaml');
    project.commit('Renamed');
    expect((await project.review()).outcome).toBe('passed');
    write('b.orch.yaml', components(15));
    expect((await project.review()).outcome).toBe('failed');
  });

  test('that an older version did not record lets any count through, and the report says so', async () => {
    project.write(rulesPath, rule('maximum-components', 'maxComponents', 10));
    write('a.orch.yaml', components(14));
    const { nextBaseline } = await project.review();
    const old = nextBaseline.map(({ count: _count, ...before }) => before);
    write(baselineFile, writeBaseline(old));
    write('a.orch.yaml', components(54));

    const report = await project.review();
    expect(report).toMatchObject({ outcome: 'passed', uncounted: 1, findings: [{ state: 'known' }] });
    expect(report.nextBaseline).toMatchObject([{ count: 54 }]);
    await record();
    expect(await project.review()).toMatchObject({ uncounted: 0 });
  });

  test('is the stricter one where a merge left two', () => {
    const at = (id: string, count?: number) => ({
      rule: id,
      file: 'a',
      fingerprint: id,
      ...(count === undefined ? {} : { count }),
    });
    const lines = [14, undefined, 12].flatMap((count) => [
      at('maximum-components', count),
      at('minimum-components', count),
    ]);
    const read = readBaseline(writeBaseline(lines), 'x');
    expect(Object.fromEntries(read.map(({ rule: id, count }) => [id, count]))).toEqual({
      'maximum-components': 12,
      'minimum-components': 14,
    });
  });
});

const entry = (file: string, fingerprint: string) => ({ rule: 'r', file, fingerprint });

test('a baseline file is JSON, sorted, with one finding on each line', () => {
  const text = writeBaseline([entry('b', '2'), { ...entry('a', '1'), component: 'Load "x"' }]);

  expect(JSON.parse(text)).toHaveLength(3);
  expect(text.split('\n')).toEqual([
    '[{"baseline":"millrace review","version":1}',
    String.raw`,{"file":"a","rule":"r","component":"Load \"x\"","fingerprint":"1"}`,
    ',{"file":"b","rule":"r","fingerprint":"2"}',
    ']',
    '',
  ]);
  expect(readBaseline(text, 'x')).toHaveLength(2);
});

test('a baseline of compile from before its findings had tables is refused with what to do', () => {
  const text = writeBaseline([entry('a', '1')], 'compile');
  expect(text.split('\n')[0]).toBe('[{"baseline":"millrace compile","version":2}');
  expect(readBaseline(text, 'x', 'compile')).toHaveLength(1);
  expect(() => readBaseline(text.replace('"version":2', '"version":1'), 'x', 'compile')).toThrow(
    'An older Millrace recorded it, which did not tell columns of different tables apart',
  );
});

test('a baseline whose lines were doubled or shuffled by a merge means the same', () => {
  const [head = '', one = '', two = '', tail = ''] = writeBaseline([entry('a', '1'), entry('b', '2')]).split(
    '\n',
  );
  expect(
    readBaseline([head, two, one, two, tail].join('\r\n'), 'x')
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(['a', 'b']);
});

test('the platform’s FAILED passes only if an old error explains it, an unknown status never', () => {
  const none = { error: 0, warning: 0, notice: 0 };
  expect(decide(none, 'error', { reviewStatus: 'FAILED', explained: true })).toBe('passed');
  expect(decide(none, 'error', { reviewStatus: 'FAILED', explained: false })).toBe('failed');
  expect(decide(none, 'error', { reviewStatus: 'PARTIAL', explained: true })).toBe('failed');
});
