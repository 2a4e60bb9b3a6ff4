import { describe, expect, test } from 'vitest';
import { createAnnotatedCheck } from '../../../lib/github/annotated-check.ts';
import { finding } from './findings.ts';
import { oneRepository, repository } from '../../environment/github/one-repository.ts';

const here = oneRepository();

describe('a check run', () => {
  const check = {
    name: 'Millrace',
    externalId: 'x',
    outcome: 'failed',
    title: 't',
    summary: 's',
  } as const;

  test.each([
    [0, 1],
    [50, 1],
    [51, 2],
    [120, 3],
    [400, 8],
  ])('with %i findings takes %i requests and contains all', async (count, requests) => {
    const findings = Array.from({ length: count }, (_, line) =>
      finding({ line: line + 1, endLine: line + 1 }),
    );
    await createAnnotatedCheck(here.connect('writer'), { ...check, commit: here.head, findings });
    const [run] = here.github.repository(repository).checkRuns;
    expect(run?.annotations).toHaveLength(count);
    expect([run?.status, run?.conclusion]).toEqual(['completed', 'failure']);
    expect(here.github.requests).toHaveLength(requests);
  });

  test('shows the 400 most severe findings and the number of the others, within GitHub’s limit', async () => {
    const findings = Array.from({ length: 500 }, (_, line) =>
      finding({ severity: line < 499 ? 'warning' : 'error', line: line + 1, endLine: line + 1 }),
    );
    await createAnnotatedCheck(here.connect('writer'), {
      ...check,
      commit: here.head,
      summary: 'ü'.repeat(70_000),
      findings,
    });
    const [run] = here.github.repository(repository).checkRuns;
    expect(run?.annotations).toHaveLength(400);
    expect(run?.annotations[0]).toMatchObject({ annotation_level: 'failure' });
    expect(run?.output.summary).toHaveLength(65_535);
    expect(run?.output.summary).toContain('100 more findings');
  });

  test('with a rule and a message above GitHub’s limits is created', async () => {
    const findings = ['m', 'ü', '€', '😀'].map((sign) =>
      finding({ rule: 'r'.repeat(300), message: sign.repeat(70_000) }),
    );
    await createAnnotatedCheck(here.connect('writer'), {
      ...check,
      commit: here.head,
      title: 't'.repeat(300),
      findings,
    });
    expect(here.github.repository(repository).checkRuns[0]?.annotations).toHaveLength(4);
  });

  test('has no columns for a finding over several lines, because GitHub would refuse them', async () => {
    await createAnnotatedCheck(here.connect('writer'), {
      ...check,
      commit: here.head,
      findings: [finding({ endLine: 6 })],
    });
    const [annotation] = here.github.repository(repository).checkRuns[0]?.annotations ?? [];
    expect(annotation).toMatchObject({ start_line: 4, end_line: 6 });
    expect(annotation).not.toHaveProperty('start_column');
  });

  test('sends its requests one after the other, as GitHub requires for writes', async () => {
    const findings = Array.from({ length: 200 }, (_, line) => finding({ line: line + 1, endLine: line + 1 }));
    await createAnnotatedCheck(here.connect('writer'), { ...check, commit: here.head, findings });
    expect([here.github.requests.length, here.github.writesAtOnce]).toEqual([4, 1]);
  });

  test('of a re-run is a new one with the same name, because annotations cannot be removed from the old one', async () => {
    for (const _ of [1, 2]) {
      await createAnnotatedCheck(here.connect('writer'), {
        ...check,
        commit: here.head,
        findings: [finding()],
      });
    }
    const runs = here.github.repository(repository).checkRuns;
    expect(runs.map(({ name, external_id, annotations }) => [name, external_id, annotations.length])).toEqual(
      [
        ['Millrace', 'x', 1],
        ['Millrace', 'x', 1],
      ],
    );
  });
});
