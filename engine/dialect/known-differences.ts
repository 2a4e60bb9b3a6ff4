/** The known differences between the engine and a real warehouse. `docs/engine.md` lists them. */
export const knownDifferences: readonly { readonly what: string; readonly here: string }[] = [
  {
    what: 'Timestamps with nanoseconds',
    here: 'They keep microseconds only. A text with more digits, unless they are zeros, is refused where it becomes a timestamp.',
  },
  {
    what: 'A text becomes a date, a time or a timestamp in several formats, which settings of the session decide',
    here: 'It is read as `YYYY-MM-DD`, `HH:MI:SS` or both; a month, a day and an hour may have one digit (`2024-1-5`, `9:05`), and the seconds may be left out. In the first kind, digits are the time since the epoch. Another text that the warehouse may read, such as `01/31/2024` or one with spaces around it, is refused, in literals and in columns, also by TRY_CAST: give a format.',
  },
  {
    what: 'A text becomes a number without a format',
    here: 'It is read as digits with a sign, a point and an exponent, and rounded half away from zero to the decimal places of its type, also in the second kind and from a column, although the cast of a DECIMAL there cuts digits. Spaces around it are read in the first kind only; in the second kind, whole numbers have digits only, and decimals no exponent. A text of another form that the warehouse may read is refused.',
  },
  {
    what: 'A text beside a number becomes a number without a cast',
    here: 'In the first kind, it becomes NUMBER(18,5). A text with more digits is refused, and so is a division of a text. In the second kind, it is refused in calculations, aggregates and functions; functions of FLOAT, such as SQRT, take the literal of a text. There, a literal is compared with a DECIMAL as a number. It is compared with a whole number only by `=`, `<>` and IN, and then as the text of the number.',
  },
  {
    what: 'The second kind may take further texts for truth values, such as `tr` and `on`',
    here: 'The documented ones are read (`t`, `true`, `y`, `yes`, `1`, `f`, `false`, `n`, `no`, `0`), in upper case too; the others are refused.',
  },
  {
    what: 'The cast of a DECIMAL to fewer decimal places does not round in the second kind, if the value is from a table',
    here: 'Its digits are cut. A literal is rounded, and so is a value that is stored. If digits would be lost, a cast to a whole number is refused, and so is the cast of a value that is calculated from literals only: use ROUND or TRUNC before it.',
  },
  {
    what: 'How the last digit of a quotient or an average of DECIMAL values is rounded is not documented in the second kind',
    here: 'It is rounded half away from zero, as in the first kind.',
  },
  {
    what: 'A calculation with FLOAT beyond its range, or with NaN, is an error or gives an infinite number',
    here: 'It is refused when its result is infinite or NaN.',
  },
  {
    what: 'A number that is not whole where a whole one is expected, such as in DATEADD or LEFT',
    here: 'It is refused; ADD_MONTHS rounds, as documented.',
  },
  {
    what: 'A format may have two elements for one part of a date, HH12 without AM or PM, or another day of the week than the date’s',
    here: 'They are refused. In the second kind, TO_DATE counts a day that its month does not have into the next month; that is refused too.',
  },
  {
    what: 'CONVERT_TIMEZONE of a time that its zone does not have, or has twice',
    here: 'It is refused.',
  },
  {
    what: 'Letters that are not a single letter in the other case, such as `ß`, in UPPER, LOWER and INITCAP',
    here: 'They are refused.',
  },
  {
    what: 'How often REGEXP_REPLACE replaces an empty text, what an empty match of REGEXP_SUBSTR gives, and which of several alternatives a regular expression takes',
    here: 'REGEXP_REPLACE refuses a pattern that may match an empty text, such as `a*` or a word boundary alone; REGEXP_SUBSTR refuses an empty match. Both refuse a pattern with a shorter alternative first, such as `ab|abc`.',
  },
  {
    what: 'Regular expressions have the syntax of POSIX and some classes of Perl',
    here: 'The classes are `\\d`, `\\D`, `\\s`, `\\S`, `\\w` and `\\W`, in the first kind also `\\b` and `\\B`, and `\\n`, `\\t` and `\\r`, which are characters. A backslash before a punctuation mark makes it plain; in brackets, it does so in the first kind, and is refused in the second. Lazy quantifiers such as `+?`, groups such as `(?:…)` and `(?i)`, references such as `\\1`, and other letters after a backslash are refused, and so is a pattern that is not a literal.',
  },
  {
    what: 'In the replacement of REGEXP_REPLACE, the first kind documents references to groups only, and the second kind none',
    here: 'Another backslash is refused, and so is a reference to a group that the pattern does not have; in the second kind, a backslash and `$`.',
  },
  {
    what: 'A DATE beside a text that has a time, in comparisons of the first kind',
    here: 'It is refused.',
  },
  {
    what: 'Which subqueries that name a column of a query around them (correlated ones) a warehouse takes is documented in part',
    here: 'Those with LIMIT are refused, in the first kind also LIMIT in the query of IN or EXISTS. In the second kind, so are those with a window function, in ON of an outer join, in GROUP BY, and over two levels. Others run, even some that the warehouse may refuse, such as a subquery that compares both columns with `<`.',
  },
  {
    what: 'UPDATE with FROM may change a row by any of several matching rows',
    here: 'It is refused if they give different values.',
  },
  {
    what: 'Timestamps with a time zone keep the offset that they were written with',
    here: "They keep the moment only; they are shown in UTC. In the first kind, everything that depends on the offset of a TIMESTAMP_TZ is refused: its parts except SECOND, casts to DATE, TIMESTAMP_NTZ and text, calculations with months, and differences in days. CONVERT_TIMEZONE('UTC', …) gives its date and time in UTC. TIMESTAMP_LTZ and CURRENT_TIMESTAMP are not refused: the time zone of a session is always UTC.",
  },
  {
    what: 'What a literal with more than 38 digits becomes, or with more than 37 of them after the point, is not documented',
    here: 'It is refused.',
  },
  {
    what: 'A column of ARRAY takes an OBJECT that is a VARIANT, and no other',
    here: 'A column of ARRAY refuses both, because their types are not known apart: cast the value, `value::ARRAY`.',
  },
  {
    what: 'Which letters outside of ASCII a name without quotes may have, and their capitals, is not documented',
    here: 'In the first kind, a letter whose capital is one of ASCII or several letters is refused: `ß`, `ı`. The second kind folds A to Z only.',
  },
  {
    what: 'A decimal number in semi-structured data keeps up to 38 digits',
    here: 'SQL that takes it out of a list or an object keeps 15 digits; whole numbers keep all. Tests and data diffs compare all digits.',
  },
  {
    what: 'A number of JSON that is written with an exponent is a FLOAT, also in TYPEOF and as text',
    here: 'PARSE_JSON refuses such a number if its shortest form has no exponent. The text of other such numbers is refused. Given rows may have them.',
  },
  {
    what: 'Texts that differ in spaces at their ends only are equal in comparisons of the second kind; which of them a group, DISTINCT, MIN, MAX, GREATEST, LEAST or a set operation shows is not documented',
    here: 'There, a text that ends with a space is refused: RTRIM it. COUNT(DISTINCT …) and PARTITION BY take such texts as equal.',
  },
  {
    what: 'PARSE_JSON reads `undefined` as a member of an object',
    here: 'It is refused; as an item of an array, it is an SQL NULL.',
  },
  {
    what: 'The object of an XML element also has the positions of its children, by their names',
    here: 'It has the name (`@`), the content (`$`) and the attributes (`@name`) only; tests write it so, and a given object of this form is an element. PARSE_JSON and OBJECT_CONSTRUCT refuse such an object, which is not an element in the warehouse. FLATTEN and OBJECT_KEYS of an element are refused: use TO_ARRAY of its content.',
  },
  {
    what: 'The XML text of an element without content, and the words of CHECK_XML, are not documented',
    here: 'The text is `<a></a>`; attributes are in the order of their names. CHECK_XML has words of its own.',
  },
  {
    what: 'Two tables, views or columns may have names that differ only in upper and lower case',
    here: 'The second one is refused.',
  },
  {
    what: 'Primary, unique and foreign keys are recorded, and not enforced',
    here: 'They are not enforced either. Only the primary key of a table that a pipeline creates is recorded; a table of a test or a seed has none.',
  },
  {
    what: 'GRANT, REVOKE and other statements about users and roles need what they name',
    here: 'Only their form is checked. The tables and columns of COMMENT, ANALYZE and VACUUM must exist.',
  },
  {
    what: 'In the second kind, DROP without CASCADE keeps what a view needs',
    here: 'The same is true for views that SQL creates, but not for a view that a component creates.',
  },
  {
    what: 'An array aggregate or a window without a complete order may give another order in each run',
    here: 'The order is the same in each run, but is arbitrary too.',
  },
  {
    what: 'A session has a user, a role and a compute size',
    here: 'CURRENT_USER, CURRENT_ROLE and CURRENT_WAREHOUSE are the text MILLRACE.',
  },
  {
    what: 'A column of a query without an alias has the text of its expression as its name',
    here: 'The same is true for a function of one column without quotation marks, or of `*`, such as COUNT(*). Other columns have the names COLUMN_1, COLUMN_2 and so on.',
  },
  {
    what: 'SEQ1, SEQ2, SEQ4 and SEQ8 of a GENERATOR may leave out numbers',
    here: 'They count from 0, without gaps. They run in a query that reads one GENERATOR, with ROWCOUNT, and nothing else.',
  },
  {
    what: 'The length of a text in a column of CREATE TABLE … AS or of a view, if the query gives none, is documented for literals and CONCAT of the first kind only',
    here: 'In the first kind, a literal has the length of its text, `||` and CONCAT add lengths, and CASE, COALESCE, UNION and whatever else chooses a value take the longest. Other functions, a number in `||`, an empty text alone, a text of WITH RECURSIVE, and texts that a component adds, such as the output of `map-values`, have no length. In the second kind, a literal has none, and different lengths become none.',
  },
  {
    what: 'What VALUES of the first kind takes beside constants is documented in part',
    here: 'A function of semi-structured data or of XML, and a cast to VARIANT, ARRAY or OBJECT, is an error there: write INSERT … SELECT. Other expressions run, even some that the warehouse may refuse, such as a subquery.',
  },
  {
    what: 'A column of VARCHAR or TEXT without a length has 256 bytes in the second kind',
    here: 'The same is true in CREATE TABLE. A column without a length that ALTER TABLE … ADD COLUMN or the component create-table adds has no limit.',
  },
  {
    what: 'A failed CREATE OR REPLACE may leave no table',
    here: 'The old table stays.',
  },
  {
    what: 'A DATE, a TIMESTAMP or a FLOAT in semi-structured data keeps its type, in TYPEOF and as text',
    here: 'A date, a time or a timestamp becomes the text that it has in the warehouse; with a part of a millisecond (a time: of a second) it is refused, and so is TYPEOF of such a text. Of a FLOAT, only the value is kept: TYPEOF and texts of data that may have one are refused, but not if it was inserted into a column that existed. Tests compare values, so this changes no comparison. TYPEOF of a number whose decimal places are all 0 is INTEGER.',
  },
  {
    what: 'VARIANCE and VAR_SAMP of NUMBER give a NUMBER in the first kind; how many decimal places it has depends on the values, and is not documented',
    here: 'It has 6. A result with more decimal places is refused, and so are DISTINCT and an argument with more than 6; numbers whose squares or their sums have more than 38 digits fail: cast the argument to FLOAT. STDDEV gives a FLOAT, as documented.',
  },
  {
    what: 'How many digits the text of a FLOAT has, and how a FLOAT halfway between two decimals is rounded, is not documented',
    here: 'A text with more than 10 digits (second kind: 15) is refused; so is rounding a FLOAT that is halfway, such as 2.675 to 2 places, and a FLOAT as a number with more than 15 digits. In the first kind, a FLOAT that is exactly halfway is rounded away from zero.',
  },
];
