import { type CompileRule, compileRules } from '../../../lib/config/project/compile-schema.ts';
import type { RuleHelp } from '../../findings/sarif.ts';

const help: Readonly<Record<CompileRule, RuleHelp>> = {
  'breaking-change': {
    summary: 'A change keeps the columns that other pipelines read, with types that they can use.',
    reason: 'The readers fail, or compute something else, as soon as the change is in production.',
    fix: 'Write the column again, or change the readers in the same change.',
  },
  'changed-type': {
    summary: 'A change keeps the types of columns that other pipelines read.',
    reason: 'The readers still run, but they may compare, round or sort in another way.',
    fix: 'Check what the readers compute, with a test for example, or keep the type.',
  },
  'missing-table': {
    summary: 'A change does not remove the last pipeline that creates a table which another pipeline reads.',
    reason: 'The reader fails, or reads what was left from earlier runs.',
    fix: 'Create the table again, or remove the reader.',
  },
  'missing-column': {
    summary: 'Every column that a pipeline reads is in its table or source.',
    reason: 'The component fails in every run.',
    fix: 'Correct the name, or write the column.',
  },
  'ambiguous-column': {
    summary: 'Every name in SQL means one column.',
    reason: 'The statement fails in every run.',
    fix: 'Write the table or its alias before the name.',
  },
  'cannot-run': {
    summary: 'Every component can run.',
    reason: 'The component fails in every run.',
    fix: 'Correct what the message names.',
  },
  'given-column': {
    summary: 'Tests give tables the columns that pipelines write.',
    reason: 'The pipeline never gets such a column, so the test proves nothing.',
    fix: 'Correct the name, or remove the column from the test.',
  },
  'declared-table': {
    summary: 'A declared table has the columns that a pipeline of the project gives it.',
    reason:
      'The declaration or the pipeline is out of date. Millrace ignores the declaration, but people may rely on it.',
    fix: 'Remove the table from the file of schemas, or correct it.',
  },
  'unreadable-pipeline': {
    summary: 'Every pipeline can be read.',
    reason:
      'Millrace knows nothing about a pipeline that it cannot read, so it finds neither errors in this pipeline nor errors that it causes in others.',
    fix: 'Correct the file at the place of the finding, or leave it out of the project with `files.exclude`.',
  },
};

/**
 * The help for a rule of compile: what it requires, why, and how to fix findings.
 * @param rule with the prefix `compile/`
 */
export function compileHelp(rule: string): RuleHelp {
  const id = compileRules.find((each) => rule === `compile/${each}`);
  return help[id ?? 'cannot-run'];
}

/** The documentation page that describes all rules of compile. */
export function compilePage(): string {
  return 'docs/compile.md#what-is-found';
}
