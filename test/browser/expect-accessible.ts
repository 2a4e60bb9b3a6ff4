import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Fails if axe finds something on the page as it is shown now. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // Evaluated, because the content security policy of the page forbids a script element.
  await page.evaluate(axe);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  expect(
    violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    })),
    name,
  ).toEqual([]);
}
