/** A decimal number with more digits than a number of JavaScript keeps, in semi-structured data. */
export class LongDecimal {
  /** All digits, with a point. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
