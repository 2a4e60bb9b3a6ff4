import { z } from 'zod';
import {
  changeLogColumns,
  columnName,
  DELETED,
  type FileProblem,
  FileProblems,
  type KnownTable,
  type TableWrite,
  targetName,
  type WarehouseKind,
} from '../../../engine/index.ts';
import { readConfig } from '../../../lib/config/fields/read-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { EnvironmentNames } from './environment-names.ts';
import { outsideFiles, type OutsideProject } from './outside-files.ts';

/** A table that a streaming pipeline creates, with the path of its definition. */
export interface StreamedTable extends TableWrite {
  readonly pipeline: string;
}

const text = z.string().min(1);
const transformations = ['CHANGE_LOG', 'COPY_TABLE', 'COPY_TABLE_SOFT_DELETE'] as const;
const prefixTypes = ['PREFIX', 'SOURCE_DATABASE_AND_SCHEMA', 'NONE'] as const;

/** The part of a definition that says which tables it writes (spec §2.5); `millrace streaming apply` validates all of it. */
const definitionSchema = z.looseObject({
  name: text,
  streamingSource: z.looseObject({
    connection: z.looseObject({ database: text }),
    tables: z.array(z.looseObject({ schema: text, table: text })),
  }),
  streamingTarget: z.looseObject({
    database: text,
    tableSchema: text,
    stagePrefix: z.string(),
    tablePrefixType: text,
    transformationType: text,
  }),
});

/**
 * The tables that the streaming pipelines of \`streaming\` in millrace.yaml write, each at the line of its source table. The specification does not
 * show the columns: those that the local platform adds are known, and no others. Throws FileProblems.
 */
export function streamedTables(
  project: OutsideProject,
  { canonical }: EnvironmentNames,
): readonly StreamedTable[] {
  const { paths, problems: missing } = outsideFiles('streaming', project);
  const problems: FileProblem[] = [...missing];
  const definitions = paths.flatMap((file): readonly StreamedTable[] => {
    try {
      return definitionsIn(file, project).map((each) => ({ ...each, table: canonical(each.table) }));
    } catch (error) {
      if (error instanceof FileProblems) problems.push(...error.problems);
      else if (error instanceof Failure && Array.isArray(error.details['problems']))
        problems.push(...(error.details['problems'] as readonly FileProblem[]));
      else throw error;
      return [];
    }
  });
  if (problems.length > 0) throw new FileProblems(problems);
  return definitions;
}

function definitionsIn(file: string, project: OutsideProject): readonly StreamedTable[] {
  const { value, placeOf } = readConfig(project.text(file) ?? '', file, { schema: definitionSchema });
  const { name, streamingSource, streamingTarget } = value;
  const { tablePrefixType, transformationType, database, tableSchema, stagePrefix } = streamingTarget;
  const prefixType = prefixTypes.find((each) => each === tablePrefixType);
  // Another platform may have more values, whose tables have other names.
  if (prefixType === undefined) return [];
  return streamingSource.tables.map((source, index) => {
    const { line = 1, column = 1 } = placeOf(['streamingSource', 'tables', index]);
    return {
      table: targetName(source, {
        kind: project.kind,
        prefixType,
        prefix: stagePrefix,
        sourceDatabase: streamingSource.connection.database,
        database,
        schema: tableSchema,
      }),
      pipeline: file,
      component: name,
      place: { file, line, column },
      mode: 'define',
      columns: columnsOf(transformationType, project.kind),
    };
  });
}

/** Undefined if no column is known. */
function columnsOf(written: string, kind: WarehouseKind): KnownTable | undefined {
  const partly = { areNamesComplete: false, areTypesKnown: false };
  switch (transformations.find((each) => each === written)) {
    case 'CHANGE_LOG':
      return { columns: changeLogColumns(kind), ...partly };
    case 'COPY_TABLE_SOFT_DELETE':
      return { columns: [{ name: columnName(DELETED, kind), type: { name: 'BOOLEAN' } }], ...partly };
    case 'COPY_TABLE':
    case undefined:
      return undefined;
  }
}
