/** The imports that the files of a folder may have, in addition to each other. */
export interface ImportRule {
  /** Other folders of the table. From outside, a folder includes its rooms. */
  readonly folders: readonly string[];
  /** npm packages; if absent, every dependency is allowed. Modules of Node are always allowed. */
  readonly packages?: readonly string[];
}

/** A rule for each folder, by its path from the root of the repository; some rows are files. */
export type ImportRules = Readonly<Record<string, ImportRule>>;

/** Folders from top to bottom: each may import those below it. Folders in one row do not import each other. */
export type Layers = readonly (string | readonly string[])[];

/** The rules of layers. `foundation`: what all of them may import. Throws if a folder is listed twice. */
export function layered(
  layers: Layers,
  foundation: readonly string[],
  packages?: readonly string[],
): ImportRules {
  const rows = layers.map((row) => (typeof row === 'string' ? [row] : row));
  return merged(
    ...rows.flatMap((row, index) => {
      const below = rows.slice(index + 1).flat();
      const rule = { folders: [...below, ...foundation], ...(packages === undefined ? {} : { packages }) };
      return row.map((folder) => ({ [folder]: rule }));
    }),
  );
}

/** All rules as one table. Throws if a folder is in two of them. */
export function merged(...tables: readonly ImportRules[]): ImportRules {
  const rows = tables.flatMap((table) => Object.entries(table));
  const seen = new Set<string>();
  for (const [folder] of rows) {
    if (seen.has(folder)) throw new Error(`${folder} is listed twice in tools/lint/import-table.ts`);
    seen.add(folder);
  }
  return Object.fromEntries(rows);
}

/**
 * The table with the rooms of some of its folders, each of which may import what its folder may, and the rooms below it. `.`
 * means the files in the folder itself; without it, the folder has none. Throws if the table lacks a folder with rooms.
 */
export function withRooms(table: ImportRules, rooms: Readonly<Record<string, Layers>>): ImportRules {
  for (const folder of Object.keys(rooms))
    if (table[folder] === undefined) throw new Error(`${folder} has rooms, but is not in the table`);
  return merged(
    ...Object.entries(table).map(([folder, rule]) => {
      const layers = rooms[folder];
      if (layers === undefined) return { [folder]: rule };
      const pathOf = (room: string): string => (room === '.' ? folder : `${folder}/${room}`);
      return layered(
        layers.map((row) => (typeof row === 'string' ? pathOf(row) : row.map(pathOf))),
        rule.folders,
        rule.packages,
      );
    }),
  );
}
