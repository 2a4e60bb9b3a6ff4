import type { DemoServers } from './demo-servers.ts';

/** What a table of an environment has: its first rows, each a text such as `REGION north, AMOUNT 17.00`. */
export async function readTable(
  { platform }: Pick<DemoServers, 'platform'>,
  environment: string,
  table: string,
): Promise<readonly string[] | undefined> {
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${platform.baseUrl}/_platform${path}`)).json();
  const { isSimulated, environments } = (await read('/tables.json')) as {
    isSimulated: boolean;
    environments: readonly { id: number; environment: string }[];
  };
  const id = environments.find((candidate) => candidate.environment === environment)?.id;
  if (isSimulated || id === undefined) return undefined;
  const { sample } = (await read(`/tables/${id}?table=${table}&format=json`)) as {
    sample: { columns: readonly string[]; rows: readonly (readonly string[])[] } | null;
  };
  return sample?.rows.map((row) =>
    sample.columns.map((column, index) => `${column} ${row[index] ?? ''}`).join(', '),
  );
}
