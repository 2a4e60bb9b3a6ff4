import type { z } from 'zod';
import type { Delivery } from '../../../lib/github/channels/deliver-report.ts';
import type { Failure } from '../../../lib/core/errors/failure.ts';
import type { Report } from '../../../lib/report/report.ts';
import type { Step } from './step.ts';

export interface ReportFile {
  readonly name: string;
  readonly text: string;
}

/** The result of an action. */
export interface StepResult {
  readonly report: Report;
  /** All details, for the file of the output `report-path`. */
  readonly details: object;
  /** The outputs of this action, in addition to the outputs of every action. */
  readonly outputs: Readonly<Record<string, string | number>>;
  /** Additional files: name of the output that has the path → file name and text. */
  readonly files?: Readonly<Record<string, ReportFile>>;
  /** Further reports as parts of one comment, by the names of their files beside the one of `report-path`. */
  readonly parts?: Readonly<Record<string, Report>>;
  /** Reasons of a failure that the headline does not contain, one per line; above all messages of the platform. */
  readonly reasons?: readonly string[];
  /** A failure of a step that also has results. The results are written, and the failure decides the outcome. */
  readonly failure?: Failure;
  /** Present if the report was already sent to GitHub as a check run or comment. */
  readonly delivery?: Delivery;
}

/** The inputs of an action: the schema of each, by name. */
export type InputShape = Readonly<Record<string, z.ZodType>>;

/** A JavaScript action: its metadata and its function. */
export interface Action<Shape extends InputShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputs: z.ZodObject<Shape>;
  /** Name → description, in the order of `action.yml`. */
  readonly outputs: Readonly<Record<string, string>>;
  run(inputs: z.output<z.ZodObject<Shape>>, step: Step): Promise<StepResult>;
}
