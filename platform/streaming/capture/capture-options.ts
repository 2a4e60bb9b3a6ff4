import type { Warehouse, WarehouseKind } from '../../../engine/index.ts';
import type { Clock, Logger } from '../../../lib/core/ports/ports.ts';
import type { Source, SourceTable } from '../source/source.ts';
import type { TargetOptions } from '../target/create-writers.ts';

/** The status of a streaming pipeline on the wire (spec §3.1, unknowns §6). */
export type CaptureStatus = 'starting' | 'snapshotting' | 'streaming' | 'stopping' | 'not_running';

export interface CaptureOptions {
  /** The id of the streaming pipeline: its slot and its publication have names of it. */
  readonly id: string;
  readonly name: string;
  readonly tables: readonly SourceTable[];
  readonly openSource: () => Promise<Source>;
  readonly openTarget: () => Promise<OpenTarget>;
  /** For changes that wait for the target. */
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Rows that are written at once. Default: 10,000. */
  readonly batchRows?: number | undefined;
  /** Called at each start when the slots of the source server are known. */
  readonly onSlots?: () => void;
}

/** An opened warehouse, and what writes into it. */
export interface OpenTarget {
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly options: TargetOptions;
}
