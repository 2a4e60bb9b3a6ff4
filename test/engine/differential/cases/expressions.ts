import * as fc from 'fast-check';

/** An exact number in the warehouse's SQL and in PostgreSQL's, with the decimal places that it has in the warehouse. */
export interface NumberExpression {
  readonly warehouse: string;
  readonly postgres: string;
  readonly scale: number;
}

function number(warehouse: string, postgres: string, scale: number): NumberExpression {
  // More than 38 digits are an error in the warehouse.
  return { warehouse, postgres: `CAST(${postgres} AS numeric(38, ${scale}))`, scale };
}

const leaf = fc.constantFrom<NumberExpression>(
  { warehouse: '"ID"', postgres: '"ID"', scale: 0 },
  { warehouse: '"AMOUNT"', postgres: '"AMOUNT"', scale: 2 },
  { warehouse: '"PART"', postgres: '"PART"', scale: 5 },
  { warehouse: '2', postgres: '2::numeric', scale: 0 },
  { warehouse: '0.7', postgres: '0.7', scale: 1 },
  { warehouse: '(-1.25)', postgres: '(-1.25)', scale: 2 },
);

function binary(a: NumberExpression, b: NumberExpression): readonly NumberExpression[] {
  const widest = Math.max(a.scale, b.scale);
  const product = Math.min(a.scale + b.scale, Math.max(a.scale, b.scale, 12));
  const quotient = Math.max(a.scale, Math.min(a.scale + 6, 12));
  const [x, y] = [a.warehouse, b.warehouse];
  const [p, q] = [a.postgres, b.postgres];
  const isNull = `${p} IS NULL OR ${q} IS NULL`;
  return [
    number(`(${x} + ${y})`, `(${p} + ${q})`, widest),
    number(`(${x} - ${y})`, `(${p} - ${q})`, widest),
    number(`(${x} * ${y})`, `round(${p} * ${q}, ${product})`, product),
    number(`(${x} / NULLIF(${y}, 0))`, `divided(${p}, nullif(${q}, 0), ${quotient})`, quotient),
    number(`(${x} / ${y})`, `divided(${p}, ${q}, ${quotient})`, quotient),
    number(
      `DIV0(${x}, ${y})`,
      `CASE WHEN ${q} = 0 AND ${p} IS NOT NULL THEN 0 ELSE divided(${p}, nullif(${q}, 0), ${quotient}) END`,
      quotient,
    ),
    number(`(${x} % NULLIF(${y}, 0))`, `mod(${p}, nullif(${q}, 0))`, widest),
    number(`COALESCE(${x}, ${y})`, `coalesce(${p}, ${q})`, widest),
    number(`GREATEST(${x}, ${y})`, `CASE WHEN ${isNull} THEN NULL ELSE greatest(${p}, ${q}) END`, widest),
    number(`LEAST(${x}, ${y})`, `CASE WHEN ${isNull} THEN NULL ELSE least(${p}, ${q}) END`, widest),
    number(`IFF(${x} < ${y}, ${x}, ${y})`, `CASE WHEN ${p} < ${q} THEN ${p} ELSE ${q} END`, widest),
    number(`CASE WHEN "OK" THEN ${x} ELSE ${y} END`, `CASE WHEN "OK" THEN ${p} ELSE ${q} END`, widest),
    number(`NULLIF(${x}, ${y})`, `nullif(${p}, ${q})`, a.scale),
  ];
}

function unary({ warehouse: x, postgres: p, scale }: NumberExpression): readonly NumberExpression[] {
  return [
    number(`(- ${x})`, `(- ${p})`, scale),
    number(`ABS(${x})`, `abs(${p})`, scale),
    number(`ROUND(${x}, 1)`, `round(${p}, 1)`, Math.min(scale, 1)),
    number(`ROUND(${x})`, `round(${p})`, 0),
    number(`CEIL(${x})`, `ceil(${p})`, 0),
    number(`FLOOR(${x})`, `floor(${p})`, 0),
    number(`TRUNC(${x})`, `trunc(${p})`, 0),
    number(`SIGN(${x})`, `sign(${p})`, 0),
    number(`ZEROIFNULL(${x})`, `coalesce(${p}, 0)`, scale),
    number(`CAST(${x} AS NUMBER(20, 3))`, `CAST(${p} AS numeric(20, 3))`, 3),
    // Texts of digits with a sign and a point mean the same on both sides.
    number(
      `CAST(CAST(${x} AS VARCHAR) AS NUMBER(38, ${scale}))`,
      `CAST(CAST(${p} AS text) AS numeric(38, ${scale}))`,
      scale,
    ),
    number(
      `TRY_CAST(CAST(${x} AS VARCHAR) AS NUMBER(38, 1))`,
      `CAST(CAST(${p} AS text) AS numeric(38, 1))`,
      1,
    ),
  ];
}

/** Numbers of columns and literals, with up to three operators one in the other. */
export const numberExpression: fc.Arbitrary<NumberExpression> = expressions(3);

function expressions(depth: number): fc.Arbitrary<NumberExpression> {
  if (depth === 0) return leaf;
  const inner = expressions(depth - 1);
  const pairs = fc.tuple(inner, inner, fc.nat()).map(([a, b, index]) => pick(binary(a, b), index));
  const singles = fc.tuple(inner, fc.nat()).map(([a, index]) => pick(unary(a), index));
  return fc.oneof(leaf, pairs, pairs, singles);
}

function pick(list: readonly NumberExpression[], index: number): NumberExpression {
  const expression = list[index % list.length];
  if (expression === undefined) throw new Error('an empty list');
  return expression;
}

/** Other expressions over the columns of `plain`, in the warehouse's SQL and in PostgreSQL's. */
export const otherExpressions: readonly (readonly [warehouse: string, postgres: string])[] = [
  [`"NAME" || '-' || "NOTE"`, `"NAME" || '-' || "NOTE"`],
  [`CONCAT("NAME", "NOTE")`, `"NAME" || "NOTE"`],
  [`LENGTH("NAME")`, `char_length("NAME")`],
  [`SUBSTR("NAME", 2, 2)`, `substr("NAME", 2, 2)`],
  [`LEFT("NAME", 2)`, `left("NAME", 2)`],
  [`RIGHT("NAME", 2)`, `right("NAME", 2)`],
  [`LEFT("NAME", LENGTH("NOTE"))`, `left("NAME", char_length("NOTE"))`],
  [`RIGHT("NAME", LENGTH("NOTE"))`, `right("NAME", char_length("NOTE"))`],
  [`SUBSTR("NAME", 1, LENGTH("NOTE"))`, `substr("NAME", 1, char_length("NOTE"))`],
  [`SUBSTR("NAME", -2)`, `CASE WHEN char_length("NAME") < 2 THEN '' ELSE right("NAME", 2) END`],
  [`LPAD("NAME", LENGTH("NOTE"), 'x')`, `lpad("NAME", char_length("NOTE"), 'x')`],
  [`RPAD("NAME", LENGTH("NOTE"))`, `rpad("NAME", char_length("NOTE"))`],
  [`REPLACE("NAME", "NOTE", 'xyz')`, `replace("NAME", "NOTE", 'xyz')`],
  [`ARRAY_TO_STRING(SPLIT("NAME", 'a'), '-')`, `replace("NAME", 'a', '-')`],
  [`REVERSE("NAME")`, `reverse("NAME")`],
  [`REPLACE("NAME", 'a', '<a>')`, `replace("NAME", 'a', '<a>')`],
  [`TRIM("NAME")`, `btrim("NAME")`],
  [`LPAD("NAME", 4, 'x')`, `lpad("NAME", 4, 'x')`],
  [`RPAD("NAME", 4, '.')`, `rpad("NAME", 4, '.')`],
  [`SPLIT_PART("NAME", ',', 2)`, `split_part("NAME", ',', 2)`],
  [`CHARINDEX('a', "NAME")`, `strpos("NAME", 'a')`],
  [`CONTAINS("NAME", 'a')`, `strpos("NAME", 'a') > 0`],
  [`STARTSWITH("NAME", 'a')`, `starts_with("NAME", 'a')`],
  [`MD5("NAME")`, `md5("NAME")`],
  [`TRANSLATE("NAME", 'ab', 'x')`, `translate("NAME", 'ab', 'x')`],
  [`REPEAT("NAME", 2)`, `repeat("NAME", 2)`],
  [`NVL2("NAME", "NOTE", 'none')`, `CASE WHEN "NAME" IS NOT NULL THEN "NOTE" ELSE 'none' END`],
  [
    `DECODE("NAME", NULL, 'no', 'a', 'yes', "NOTE")`,
    `CASE WHEN "NAME" IS NULL THEN 'no' WHEN "NAME" = 'a' THEN 'yes' ELSE "NOTE" END`,
  ],
  [`REGEXP_SUBSTR("NAME", '[a-c]', 1, 2)`, `regexp_substr("NAME", '[a-c]', 1, 2)`],
  [
    `REGEXP_SUBSTR("NAME", '([a-z])([a-z])', 2, 1, 'e', 2)`,
    `regexp_substr("NAME", '([a-z])([a-z])', 2, 1, '', 2)`,
  ],
  [`REGEXP_REPLACE("NAME", 'A', '-', 2, 1, 'i')`, `regexp_replace("NAME", 'A', '-', 2, 1, 'i')`],
  [`REGEXP_COUNT("NAME", '[ab]')`, `regexp_count("NAME", '[ab]')`],
  [`"NAME" LIKE ANY ('a%', '%b')`, `"NAME" LIKE ANY (ARRAY['a%', '%b'])`],
  [`NOT "NAME" LIKE ALL ('%a%', '%b%')`, `NOT "NAME" LIKE ALL (ARRAY['%a%', '%b%'])`],
  [`EQUAL_NULL("NAME", "NOTE")`, `"NAME" IS NOT DISTINCT FROM "NOTE"`],
  [`"NAME" IN ('a', 'b')`, `"NAME" IN ('a', 'b')`],
  [`"NAME" NOT IN ('a', NULL)`, `"NAME" NOT IN ('a', NULL)`],
  [`"AMOUNT" BETWEEN "PART" AND 3`, `"AMOUNT" BETWEEN "PART" AND 3`],
  [`NOT "OK" OR "ID" > 1`, `NOT "OK" OR "ID" > 1`],
  // Within the years of a warehouse: PostgreSQL has more than DuckDB.
  [`DATEADD(day, MOD("ID", 100000), "DAY")`, `"DAY" + mod("ID", 100000)::int`],
  [`DATEADD(month, 1, "DAY")`, `("DAY" + interval '1 month')::date`],
  [`DATEADD(hour, 25, "AT")`, `"AT" + interval '25 hours'`],
  [`"DAY" + INTERVAL '1 year, 2 days'`, `(("DAY" + interval '1 year')::date + 2)`],
  [`DATEDIFF(day, "DAY", "AT")`, `"AT"::date - "DAY"`],
  [
    `DATEDIFF(month, "DAY", "AT")`,
    `(extract(year from "AT") - extract(year from "DAY")) * 12 + extract(month from "AT") - extract(month from "DAY")`,
  ],
  [`DATEDIFF(week, "DAY", "AT")`, `(date_trunc('week', "AT")::date - date_trunc('week', "DAY")::date) / 7`],
  [`DATE_TRUNC('month', "AT")`, `date_trunc('month', "AT")`],
  [`DATE_TRUNC('quarter', "DAY")`, `date_trunc('quarter', "DAY")::date`],
  [`YEAR("DAY") * 100 + MONTH("AT")`, `extract(year from "DAY") * 100 + extract(month from "AT")`],
  [`DAYOFWEEKISO("DAY")`, `extract(isodow from "DAY")`],
  [`WEEKISO("DAY")`, `extract(week from "DAY")`],
  [`DAYOFYEAR("AT")`, `extract(doy from "AT")`],
  [`SECOND("AT")`, `floor(extract(second from "AT"))`],
  [`LAST_DAY("DAY")`, `(date_trunc('month', "DAY") + interval '1 month - 1 day')::date`],
  [`TO_CHAR("AT", 'YYYY-MM-DD HH24:MI:SS')`, `to_char("AT", 'YYYY-MM-DD HH24:MI:SS')`],
  [`TO_CHAR("DAY", 'DD.MM.YYYY')`, `to_char("DAY", 'DD.MM.YYYY')`],
  [`"RATE" * 2 + "AMOUNT"`, `"RATE" * 2 + "AMOUNT"`],
  [`"RATE" / NULLIF("ID", 0)`, `"RATE" / nullif("ID", 0)::float8`],
  [`ROUND("RATE", 1)`, `round("RATE"::numeric, 1)::float8`],
  [`SUM("AMOUNT") OVER (PARTITION BY "NAME")`, `sum("AMOUNT") OVER (PARTITION BY "NAME")`],
  [`COUNT(*) OVER (PARTITION BY "OK")`, `count(*) OVER (PARTITION BY "OK")`],
  [`RANK() OVER (ORDER BY "DAY" DESC)`, `rank() OVER (ORDER BY "DAY" DESC)`],
  [`MAX("PART") OVER ()`, `max("PART") OVER ()`],
];
