/** A decimal number in semi-structured data with more digits than JavaScript's numbers have. */
export class LongDecimal {
  /** All digits, with a decimal point. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
