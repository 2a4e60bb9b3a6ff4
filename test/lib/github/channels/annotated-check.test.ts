import { describe, expect, test } from 'vitest';
import { createAnnotatedCheck } from '../../../../lib/github/channels/annotated-check.ts';
import { connectGitHub } from '../../../../lib/github/workflow-run/connect-github.ts';
import { Failure } from '../../../../lib/core/errors/failure.ts';
import type { Fault } from '../../../environment/github/start-github.ts';
import { finding } from '../findings.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

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
    const writes = here.github.requests.filter(({ method }) => method !== 'GET');
    expect(writes).toHaveLength(requests);
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
    // The last letter of two bytes does not fit.
    expect(Buffer.byteLength(run?.output.summary ?? '')).toBeGreaterThan(65_530);
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
    const writes = here.github.requests.filter(({ method }) => method !== 'GET');
    expect([writes.length, here.github.writesAtOnce]).toEqual([4, 1]);
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

  describe('whose annotations do not all arrive', () => {
    const findings = Array.from({ length: 120 }, (_, line) => finding({ line: line + 1, endLine: line + 1 }));
    const create = (connection = here.connect('writer')) =>
      createAnnotatedCheck(connection, { ...check, commit: here.head, findings });
    /** Answers the nth update, from 1 on, in place of GitHub. */
    const atUpdate = (nth: number, answer: ReturnType<Fault>) => {
      let updates = 0;
      here.github.interfere(({ method }) => {
        if (method === 'PATCH') updates += 1;
        return method === 'PATCH' && updates === nth ? answer : undefined;
      });
    };

    test.each([
      ['422', { status: 422, body: { message: 'Invalid request.' } }, 1, 70],
      ['403 for a rate limit', { status: 403, headers: { 'retry-after': '60' }, body: {} }, 2, 20],
      // The annotations may be there: they are not shown again in another way.
      ['502', { status: 502, body: {} }, 1, 20],
      ['no answer', 'lose', 1, 20],
    ] as const)(
      'because GitHub answers %s is completed with the verdict, and counts the missing ones',
      async (_, answer, nth, unannotated) => {
        atUpdate(nth, answer);
        const written = await create();
        const [run, ...others] = here.github.repository(repository).checkRuns;
        expect([run?.status, run?.conclusion, others]).toEqual(['completed', 'failure', []]);
        expect(run?.output.summary).toContain(`${120 - nth * 50} findings have no annotation`);
        expect(written.url).toContain('/runs/');
        expect(written.note).toContain('because GitHub did not take them');
        expect(written.unannotated).toHaveLength(unannotated);
      },
    );

    test('because the run was cancelled is completed as cancelled', async () => {
      const cancel = new AbortController();
      const reason = new Failure('cancelled', { message: 'The workflow run was cancelled.' });
      const connection = connectGitHub({
        apiUrl: here.github.apiUrl,
        token: 'writer',
        repository,
        signal: cancel.signal,
      });
      here.github.interfere(({ method }) => {
        if (method === 'PATCH' && !cancel.signal.aborted) {
          cancel.abort(reason);
          return 'hang';
        }
        return undefined;
      });
      await expect(create(connection)).rejects.toBe(reason);
      const [run] = here.github.repository(repository).checkRuns;
      expect([run?.status, run?.conclusion]).toEqual(['completed', 'cancelled']);
    });

    test('and that GitHub does not complete says so; the next run completes it', async () => {
      here.github.interfere(({ method }) => (method === 'PATCH' ? { status: 502, body: {} } : undefined));
      const { note } = await create();
      expect(note).toContain('still in progress');
      here.github.interfere(undefined);
      await create();
      const runs = here.github.repository(repository).checkRuns;
      expect(runs.map(({ status, conclusion }) => [status, conclusion])).toEqual([
        ['completed', 'cancelled'],
        ['completed', 'failure'],
      ]);
    });

    test('because the answer to its creation was lost is completed, and not left in progress', async () => {
      here.github.interfere(({ method }) => (method === 'POST' ? 'lose' : undefined));
      await expect(create()).rejects.toThrow('could not create a check run');
      const runs = here.github.repository(repository).checkRuns;
      expect(runs.map(({ status, conclusion }) => [status, conclusion])).toEqual([
        ['completed', 'cancelled'],
      ]);
    });
  });
});
