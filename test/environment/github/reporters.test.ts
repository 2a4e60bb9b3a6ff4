import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { failureAnnotation, failureResult } from '../../../actions/kit/step/failure-result.ts';
import { finishStep } from '../../../actions/kit/step/finish-step.ts';
import { annotationCommands } from '../../../lib/report/annotations.ts';
import { createAnnotatedCheck } from '../../../lib/github/channels/annotated-check.ts';
import { connectGitHub } from '../../../lib/github/workflow-run/connect-github.ts';
import type { Report } from '../../../lib/report/report.ts';
import { reportMarkdown } from '../../../lib/report/markdown.ts';
import { createStatuses } from '../../../lib/github/endpoints/statuses.ts';
import { stickyMarker } from '../../../lib/github/channels/sticky-comment.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { createCommandFiles } from '../../runner/command-files.ts';
import { parseCommand } from '../../runner/workflow-command.ts';
import { buildRepository } from './bare-repository-builder.ts';
import { finding } from '../../lib/github/findings.ts';
import { nasty } from '../../lib/github/nasty-text.ts';
import { startGitHub } from './start-github.ts';

// The same cases everywhere and every time.
fc.configureGlobal({ seed: 20_310_101 });

/** A report whose every text is foreign. */
const reports = fc.tuple(nasty, nasty, nasty, nasty).map(([a, b, c, d]): Report => ({
  title: 'Review',
  outcome: 'failed',
  headline: a,
  facts: [[b, c]],
  findings: [finding({ file: `${d}.sql`, rule: a, component: b, message: c })],
  tables: [{ title: a, columns: [b, c], rows: [[d, a]] }],
  notes: [d],
}));

/** As GitHub's page has it: entities are signs again. */
const onThePage = (text: string): string =>
  text.replaceAll(/&#(\d+);/gu, (_, code) => String.fromCodePoint(Number(code)));

/** With what is our own left out: code, in which GitHub makes neither mention nor reference, and the links to the lines of the commit. */
const blobUrl = 'https://github.example.com/o/n/blob/abc';
const withoutOurs = (text: string): string =>
  text
    .replaceAll(/<code>[^<]*<\/code>/gu, 'code')
    .replaceAll(/\]\(https:\/\/github\.example\.com\/o\/n\/blob\/abc\/[\w%./~-]*\?plain=1#L\d+\)/gu, ']');

describe('nothing foreign', () => {
  test('in a report for summary, comment or check run mentions, links, refers, or makes a tag', () => {
    fc.assert(
      fc.property(reports, (report) => {
        const text = withoutOurs(reportMarkdown(report, { limit: 60_000, blobUrl }));
        expect(text).not.toMatch(/[<@]|\]\(|!\[|https?:\/\//u);
        expect(onThePage(text)).not.toMatch(/@\w|(?<!#)#\d|:\/\/|www\./iu);
      }),
    );
  });

  test('in a report breaks out of its table, list, quotation or headline', () => {
    fc.assert(
      fc.property(reports, (report) => {
        const lines = reportMarkdown(report, { limit: 60_000, blobUrl }).split('\n');
        for (const line of lines)
          expect(line).toMatch(/^(?:$|### ❌ Review: failed$|- |> |\||\*\*|(?!\d+[.)])[^-#>|*=+`<~\s])/u);
        const columns = lines.filter((line) => line.startsWith('|')).map((line) => line.split('|').length);
        expect(columns).toEqual([7, 7, 7, 4, 4, 4]);
      }),
    );
  });

  test('in an annotation or a failure ends its command or starts another', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (file, rule, message) => {
        const failure = new Failure('usage', { message, where: { file, line: 1 }, hint: rule });
        const lines = [
          ...annotationCommands([finding({ file, rule, message })], { rest: '' }),
          failureAnnotation(failure),
        ];
        expect(lines).toHaveLength(2);
        for (const line of lines) {
          expect(line).not.toMatch(/[\r\n\u2028\u2029]/u);
          const command = parseCommand(line);
          expect(command?.name).toBe('error');
          for (const key of Object.keys(command?.properties ?? {}))
            expect(['file', 'line', 'endLine', 'col', 'endColumn', 'title']).toContain(key);
        }
        const text = reportMarkdown(failureResult('Review', failure).report, { limit: 60_000 });
        expect(withoutOurs(text)).not.toMatch(/[<@]|\]\(/u);
      }),
    );
  });

  test('in the key of a comment ends the hidden line that finds it again, or makes two keys the same', () => {
    fc.assert(
      fc.property(nasty, nasty, (one, other) => {
        expect(stickyMarker(one)).toMatch(/^<!-- millrace:[^<>\s-]* -->$/u);
        if (one.toWellFormed() !== other.toWellFormed())
          expect(stickyMarker(one)).not.toBe(stickyMarker(other));
      }),
    );
  });

  test('in an output sets another one, and nothing in the log of a step is a command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-reporters-'));
    try {
      await fc.assert(
        fc.asyncProperty(reports, nasty, async (report, message) => {
          const files = await createCommandFiles(folder);
          for (const [name, value] of Object.entries(files.environment)) vi.stubEnv(name, value);
          const logged: string[] = [];
          const commands: string[] = [];
          await finishStep(
            'run',
            { report, details: {}, outputs: { message: `${message}\nother=1\nEOF\n` } },
            {
              environment: { RUNNER_TEMP: folder },
              redact: (text) => text,
              log: (text) => logged.push(text),
              command: (text) => commands.push(text),
            },
          );
          const { outputs, errors, state, variables } = await files.read();
          expect([errors, state, variables]).toEqual([[], {}, {}]);
          expect(Object.keys(outputs).toSorted()).toEqual([
            'message',
            'outcome',
            'report-path',
            'summary-path',
          ]);
          expect(commands.map((line) => parseCommand(line)?.name)).toEqual(['group', 'endgroup', 'error']);
        }),
        { numRuns: 20 },
      );
    } finally {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('in a check run, a status or a deployment is refused by GitHub or sends a line break or an escape', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-reporters-'));
    const repository = 'example/warehouse';
    const builder = await buildRepository(folder, repository);
    const sha = await builder.commit('main', { 'a.sql': '1\n' });
    const permissions = { checks: 'write', statuses: 'write', deployments: 'write' } as const;
    const github = await startGitHub({ gitRoot: folder, tokens: { writer: { permissions } } });
    try {
      const connection = connectGitHub({ apiUrl: github.apiUrl, token: 'writer', repository });
      const statusesOf = createStatuses(connection.github);
      await fc.assert(
        fc.asyncProperty(reports, nasty, async (report, text) => {
          const { findings, outcome } = report;
          const check = { name: 'Millrace', commit: sha, externalId: 'x', outcome, title: text, findings };
          await createAnnotatedCheck(connection, {
            ...check,
            summary: reportMarkdown(report, { limit: 60_000 }),
          });
          await statusesOf.setStatus(repository, {
            sha,
            state: 'success',
            context: `c ${text}`,
            description: text,
          });
          const { id } = await connection.deployments.create(repository, {
            commit: sha,
            environment: 'test',
            description: text,
            payload: { text },
          });
          await connection.deployments.setStatus(repository, id, { state: 'success', description: text });
        }),
        { numRuns: 20 },
      );
      const { checkRuns, statuses, deployments } = github.repository(repository);
      const shown = [
        ...checkRuns.flatMap(({ annotations, output }) => [
          output.title,
          ...annotations.map(({ title }) => title),
        ]),
        ...statuses.flatMap(({ context, description }) => [context, description]),
        ...deployments.map(({ description }) => description),
      ];
      expect(shown).toHaveLength(20 * 5);
      for (const text of shown) expect(text ?? '').not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}|\u202E/u);
    } finally {
      await github.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
