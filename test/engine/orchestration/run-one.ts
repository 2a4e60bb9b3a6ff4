import { pipeline, startThen, stepsOf } from '../execution/execute.ts';
import type { TestSchema, WarehouseOptions } from '../execution/on-warehouse.ts';

export interface OneOptions extends WarehouseOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs a pipeline of one component, named `It`, and returns its step and the text of the pipeline too. */
export async function runOne(
  schema: TestSchema,
  type: string,
  parameters: Readonly<Record<string, unknown>>,
  { variables = {}, files = {}, ...options }: OneOptions = {},
) {
  const main = pipeline({ Start: startThen('It'), It: { type, parameters } }, variables);
  const done = await schema.run({ ...files, 'main.orch.yaml': main }, options);
  const [step] = stepsOf(done.state, 'It');
  return { ...done, text: main, step, message: step?.message, status: step?.status };
}
