import type { SqlType, WarehouseKind } from './sql-type.ts';

const LARGEST = 2n ** 63n;

/** The numbers of a column that has no declared type. The type of the column is derived from them. */
export class SeenNumbers {
  #scale = 0;
  #isLong = false;
  #isLarge = false;

  /**
   * Notes a number with its decimal places. `units` and `scale` are the result of `parseDecimal`: the number is
   * `units` / 10^`scale`.
   */
  add(
    { units, scale }: { readonly units: bigint; readonly scale: number },
    places = Math.max(0, scale),
  ): void {
    this.#scale = Math.max(this.#scale, places);
    if (units === 0n) return;
    const whole = scale < -20 ? LARGEST : units * 10n ** BigInt(Math.max(0, -scale));
    this.#isLong ||= whole >= 2n ** 31n || whole < -(2n ** 31n);
    this.#isLarge ||= whole >= LARGEST || whole < -LARGEST;
  }

  /**
   * The type that all the noted numbers fit. `WAREHOUSE_ONE` has one type for whole numbers. `WAREHOUSE_TWO` has
   * INTEGER and BIGINT, and uses them as for literals in SQL: dividing them gives no decimal places, whereas dividing
   * DECIMALs does.
   */
  typeIn(kind: WarehouseKind): SqlType {
    if (kind === 'WAREHOUSE_ONE' || this.#scale > 0 || this.#isLarge)
      return { name: 'NUMBER', precision: 38, scale: this.#scale };
    return { name: this.#isLong ? 'BIGINT' : 'INTEGER' };
  }
}
