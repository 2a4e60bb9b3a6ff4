import type { SqlType, WarehouseKind } from './sql-type.ts';

const LARGEST = 2n ** 63n;

/** Numbers of a column without a type, from whose values the type is derived. */
export class SeenNumbers {
  #scale = 0;
  #isLong = false;
  #isLarge = false;

  /** Notes a number with its decimal places; `units` / 10^`scale` as `parseDecimal` gives it. */
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
   * Kind 1 has one type for whole numbers. Kind 2 has INTEGER and BIGINT, as for literals in SQL: there, dividing them
   * gives no decimal places, unlike dividing DECIMALs.
   */
  typeIn(kind: WarehouseKind): SqlType {
    if (kind === 'WAREHOUSE_ONE' || this.#scale > 0 || this.#isLarge)
      return { name: 'NUMBER', precision: 38, scale: this.#scale };
    return { name: this.#isLong ? 'BIGINT' : 'INTEGER' };
  }
}
