import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { severities } from '../../lib/core/outcomes/finding.ts';
import { outcomes } from '../../lib/core/outcomes/outcome.ts';
import type { Report } from '../../lib/report/report.ts';
import { partName } from '../kit/step/finish-step.ts';

const texts = z.array(z.string());
const position = z.int();

const partSchema = z.object({
  title: z.string(),
  outcome: z.enum(outcomes),
  headline: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])),
  findings: z.array(
    z.object({
      rule: z.string(),
      severity: z.enum(severities),
      file: z.string(),
      component: z.string().optional(),
      message: z.string(),
      source: z.enum(['platform', 'millrace']),
      state: z.enum(['new', 'known', 'fixed']),
      fingerprint: z.string(),
      line: position,
      column: position,
      endLine: position,
      endColumn: position,
    }),
  ),
  tables: z
    .array(
      z.object({ title: z.string(), columns: texts, rows: z.array(texts), isDetail: z.boolean().optional() }),
    )
    .optional(),
  blocks: z.array(z.object({ title: z.string(), lines: texts, isDetail: z.boolean().optional() })).optional(),
  notes: texts,
  isNews: z.boolean().optional(),
});

/**
 * Reads the report of an earlier step, from the folder of its output `report-path`. Undefined if the step wrote
 * none, or one that cannot be read.
 * @param name the file name, if the step wrote several reports
 */
export async function readPart(
  reportPath: string | undefined,
  name: string = partName,
): Promise<Report | undefined> {
  if (reportPath === undefined) return undefined;
  const text = await readFile(join(dirname(reportPath), name), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (text === undefined) return undefined;
  return partSchema.safeParse(jsonOf(text)).data as Report | undefined;
}

/** Undefined for a file that was cut. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
