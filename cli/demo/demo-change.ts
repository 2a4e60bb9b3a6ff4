/** A file of the example project that no pipeline runs. */
export const scriptFile = 'sql/regions.sql';

const pipelineFile = 'daily/build-orders.tran.yaml';
const lastCalculation = /^( +)- - .*\n +- "(?:AMOUNT|TAX_\d+)"\n(?! +- - )/mu;

/**
 * The files of a small change of the example project: the table ORDERS gets another column, so that a plan has something to show. If
 * that pipeline was rewritten, a script gets a comment with the title.
 */
export async function demoChange(
  title: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<Readonly<Record<string, string>>> {
  const pipeline = (await read(pipelineFile)) ?? '';
  const [, indent] = lastCalculation.exec(pipeline) ?? [];
  if (indent === undefined) return { [scriptFile]: `${(await read(scriptFile)) ?? ''}-- ${title}\n` };
  const column = `TAX_${String((pipeline.match(/"TAX_\d+"/gu)?.length ?? 0) + 1)}`;
  const added = `${indent}- - ${JSON.stringify('"QUANTITY" * "PRICE" * 0.25')}\n${indent}  - "${column}"\n`;
  return { [pipelineFile]: pipeline.replace(lastCalculation, (last) => `${last}${added}`) };
}
