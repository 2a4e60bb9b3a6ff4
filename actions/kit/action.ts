import type { z } from 'zod';
import type { Delivery } from '../../lib/github/deliver-report.ts';
import type { Report } from '../../lib/github/report.ts';
import type { Step } from './step.ts';

export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/** What an action ends with, where it does not throw a Failure. */
export interface StepResult {
  readonly report: Report;
  /** Everything that is known, for the file that `report-path` names. */
  readonly details: object;
  /** Beside those that every action has. */
  readonly outputs: Readonly<Record<string, string | number>>;
  /** Files to keep beside the reports: output that names the path → name and text. */
  readonly files?: Readonly<Record<string, ReportFile>>;
  /** Why it is no success, a line each, where the headline does not say it: the platform's own words above all. */
  readonly reasons?: readonly string[];
  /** Has the report been brought to GitHub already, by more than summary and annotations? */
  readonly delivery?: Delivery;
}

/** Input name → schema. */
export type InputShape = Readonly<Record<string, z.ZodType>>;

/** One JavaScript action: what is known about it before it runs, and how it runs. */
export interface Action<Shape extends InputShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputs: z.ZodObject<Shape>;
  /** Name → description, in the order of `action.yml`. */
  readonly outputs: Readonly<Record<string, string>>;
  run(inputs: z.output<z.ZodObject<Shape>>, step: Step): Promise<StepResult>;
}
