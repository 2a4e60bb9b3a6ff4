/**
 * The differences between the engine and a warehouse. `what` is the behaviour of the warehouse, or a question that
 * its documentation leaves open. `here` is the behaviour of the engine. `docs/engine.md` lists them.
 */
export const knownDifferences: readonly { readonly what: string; readonly here: string }[] = [
  {
    what: 'A timestamp has nanoseconds.',
    here: 'A timestamp has microseconds. If a text with more digits becomes a timestamp, it is refused, unless the further digits are zeros.',
  },
  {
    what: 'A text becomes a date, a time or a timestamp in several formats. Settings of the session decide which.',
    here: 'The formats are `YYYY-MM-DD`, `HH:MI:SS`, or both. A month, a day and an hour may have one digit (`2024-1-5`, `9:05`), and the seconds may be missing. In WAREHOUSE_ONE, digits alone are the time since the epoch. Any other text is refused, in literals and in columns, also by TRY_CAST. Examples are `01/31/2024`, and a text with spaces around it. Give a format.',
  },
  {
    what: 'A text becomes a number without a format.',
    here: 'The text must be digits with a sign, a point and an exponent. It is rounded half away from zero to the decimal places of its type. A text in a column of WAREHOUSE_TWO is rounded too, although WAREHOUSE_TWO does not round when it casts a DECIMAL. In WAREHOUSE_ONE, spaces around the number are allowed. In WAREHOUSE_TWO, whole numbers have digits only, and decimals have no exponent. Any other text is refused, even if the warehouse may read it.',
  },
  {
    what: 'If a text is combined or compared with a number, it becomes a number without a cast.',
    here: 'In WAREHOUSE_ONE, the text becomes NUMBER(18,5). A text with more digits is refused, and so is a division of a text. In WAREHOUSE_TWO, a text is refused in calculations, aggregates and functions. Functions of FLOAT, such as SQRT, take the literal of a text. A literal of a text is compared with a DECIMAL as a number. It is compared with a whole number only by `=`, `<>` and IN, and then as the text of the number.',
  },
  {
    what: 'WAREHOUSE_TWO may accept further texts as boolean values, such as `tr` and `on`.',
    here: 'The documented texts are read, also in upper case: `t`, `true`, `y`, `yes`, `1`, `f`, `false`, `n`, `no`, `0`. Other texts are refused.',
  },
  {
    what: 'In WAREHOUSE_TWO, the cast of a DECIMAL to fewer decimal places does not round, if the value is from a table.',
    here: 'The digits of such a value are cut. A literal is rounded, and so is a value that is stored. In two cases, a cast that would lose digits is refused: a cast to a whole number, and the cast of a value that is calculated from literals only. Use ROUND or TRUNC before the cast.',
  },
  {
    what: 'The documentation of WAREHOUSE_TWO does not say how the last digit of a quotient or an average of DECIMAL values is rounded.',
    here: 'It is rounded half away from zero, as in WAREHOUSE_ONE.',
  },
  {
    what: 'A calculation with FLOAT beyond its range, or with NaN, is an error or gives an infinite number.',
    here: 'The calculation is refused if its result is infinite or NaN.',
  },
  {
    what: 'A function such as DATEADD or LEFT gets a number with decimal places, although it expects a whole number.',
    here: 'Such a number is refused. ADD_MONTHS rounds it, as documented.',
  },
  {
    what: 'A format may have two elements for the same part of a date, or HH12 without AM or PM. A text may have a day of the week that does not fit its date.',
    here: 'Such a format or text is refused. In WAREHOUSE_TWO, TO_DATE moves a day that its month does not have into the next month. This is refused too.',
  },
  {
    what: 'CONVERT_TIMEZONE gets a time that does not exist in its time zone, or exists twice, because the clocks are changed.',
    here: 'Such a time is refused.',
  },
  {
    what: 'UPPER, LOWER or INITCAP gets a letter such as `ß`, whose upper or lower case form is not a single letter.',
    here: 'Such a letter is refused.',
  },
  {
    what: 'The documentation does not say how often REGEXP_REPLACE replaces an empty text, what an empty match of REGEXP_SUBSTR gives, and which of several alternatives a regular expression takes.',
    here: 'REGEXP_REPLACE refuses a pattern that may match an empty text, such as `a*` or a word boundary alone. REGEXP_SUBSTR refuses an empty match. Both refuse a pattern with a shorter alternative first, such as `ab|abc`.',
  },
  {
    what: 'A regular expression has the syntax of POSIX and some classes of Perl.',
    here: 'The classes are `\\d`, `\\D`, `\\s`, `\\S`, `\\w` and `\\W`. WAREHOUSE_ONE also has `\\b` and `\\B`, and the characters `\\n`, `\\t` and `\\r`. A backslash before a punctuation mark makes the mark an ordinary character. In brackets, WAREHOUSE_ONE does the same, but in WAREHOUSE_TWO, such a backslash is refused. The engine refuses lazy quantifiers such as `+?`, groups such as `(?:…)` and `(?i)`, references such as `\\1`, other letters after a backslash, and a pattern that is not a literal.',
  },
  {
    what: 'In the replacement of REGEXP_REPLACE, WAREHOUSE_ONE documents only references to groups. WAREHOUSE_TWO documents none.',
    here: 'In WAREHOUSE_ONE, any other backslash is refused, and so is a reference to a group that the pattern does not have. In WAREHOUSE_TWO, a backslash and `$` are refused.',
  },
  {
    what: 'WAREHOUSE_ONE compares a DATE with a text that has a time.',
    here: 'This comparison is refused.',
  },
  {
    what: 'The documentation says only in part which correlated subqueries run. A correlated subquery names a column of a query around it.',
    here: 'Correlated subqueries with LIMIT are refused. In WAREHOUSE_ONE, LIMIT in the query of IN or EXISTS is refused, too. In WAREHOUSE_TWO, correlated subqueries are also refused with a window function, in ON of an outer join, in GROUP BY, and over two levels. Others run, even some that the warehouse may refuse, such as a subquery that compares both columns with `<`.',
  },
  {
    what: 'UPDATE with FROM may change a row by any of several matching rows.',
    here: 'The UPDATE is refused if the matching rows give different values.',
  },
  {
    what: 'Functions of the time give microseconds. In WAREHOUSE_TWO, GETDATE gives whole seconds.',
    here: 'They give milliseconds, and the same time in the whole execution. In WAREHOUSE_TWO, GETDATE gives whole seconds.',
  },
  {
    what: 'A timestamp with a time zone keeps the offset with which it was written.',
    here: "The timestamp keeps only the moment, and is shown in UTC. In WAREHOUSE_ONE, everything that depends on the offset of a TIMESTAMP_TZ is refused: its parts except SECOND, casts to DATE, TIMESTAMP_NTZ and text, calculations with months, and differences in days. CONVERT_TIMEZONE('UTC', …) gives its date and time in UTC. TIMESTAMP_LTZ and CURRENT_TIMESTAMP are not refused, because the time zone of a session is always UTC.",
  },
  {
    what: 'The documentation does not say what a literal becomes that has more than 38 digits, or more than 37 digits after the point.',
    here: 'Such a literal is refused.',
  },
  {
    what: 'A column of the type ARRAY accepts an object that is stored as a VARIANT, but not a value of the type OBJECT.',
    here: 'A column of the type ARRAY refuses every object, because the engine cannot distinguish the two types. Cast the value: `value::ARRAY`.',
  },
  {
    what: 'The documentation does not say which letters outside ASCII a name without quotes may have, and what their capitals are.',
    here: 'In WAREHOUSE_ONE, a letter is refused if its capital is a letter of ASCII or has several letters, such as `ß` and `ı`. WAREHOUSE_TWO changes only the letters A to Z to lower case.',
  },
  {
    what: 'A decimal number in semi-structured data keeps up to 38 digits.',
    here: 'If SQL takes the number out of a list or an object, it has 15 digits. Whole numbers keep all digits. Tests and data diffs compare all digits.',
  },
  {
    what: 'A number of JSON that is written with an exponent is a FLOAT, also in TYPEOF and as text.',
    here: 'PARSE_JSON refuses such a number if its shortest form has no exponent. The text of other such numbers is refused. Given rows may have such numbers.',
  },
  {
    what: 'In WAREHOUSE_TWO, texts are equal in comparisons if they differ only in spaces at their ends. The documentation does not say which of them a group, DISTINCT, MIN, MAX, GREATEST, LEAST or a set operation shows.',
    here: 'In these places, a text that ends with a space is refused: use RTRIM. COUNT(DISTINCT …) and PARTITION BY treat such texts as equal.',
  },
  {
    what: 'PARSE_JSON reads `undefined` as a member of an object.',
    here: 'It is refused there. As an item of an array, it is an SQL NULL.',
  },
  {
    what: 'The object of an XML element has the positions of its children, by their names.',
    here: 'The object has only the name (`@`), the content (`$`) and the attributes (`@name`). Tests write an element in this form, and a given object of this form is an element. PARSE_JSON and OBJECT_CONSTRUCT refuse such an object, because it is not an element in the warehouse. FLATTEN and OBJECT_KEYS of an element are refused: use TO_ARRAY of its content.',
  },
  {
    what: 'The documentation does not say what the XML text of an element without content is, and which messages CHECK_XML gives.',
    here: 'The text is `<a></a>`, with the attributes in the order of their names. CHECK_XML has its own messages.',
  },
  {
    what: 'Two tables, views or columns may have names that differ only in upper and lower case.',
    here: 'The second name is refused.',
  },
  {
    what: 'Primary, unique and foreign keys are recorded, and not enforced.',
    here: 'They are also not enforced. Only the primary key of a table that a pipeline creates is recorded. A table of a test or a seed has no key.',
  },
  {
    what: 'The objects that GRANT, REVOKE and other statements about users and roles name must exist.',
    here: 'Only the form of these statements is checked. The tables and columns of COMMENT, ANALYZE and VACUUM must exist.',
  },
  {
    what: 'In WAREHOUSE_TWO, DROP without CASCADE fails if a view needs the object.',
    here: 'The same is true for views that SQL creates, but not for a view that a component creates.',
  },
  {
    what: 'An array aggregate or a window without a complete order may give another order in each run.',
    here: 'The order is arbitrary, but the same in each run.',
  },
  {
    what: 'A session has a user, a role and a compute size.',
    here: 'CURRENT_USER, CURRENT_ROLE and CURRENT_WAREHOUSE are the text MILLRACE.',
  },
  {
    what: 'A column of a query without an alias has the text of its expression as its name.',
    here: 'The same is true for a function of one column without quotation marks, or of `*`, such as COUNT(*). Other columns have the names COLUMN_1, COLUMN_2 and so on.',
  },
  {
    what: 'SEQ1, SEQ2, SEQ4 and SEQ8 of a GENERATOR may leave out numbers.',
    here: 'They count from 0, without gaps. They run only in a query that reads one GENERATOR, with ROWCOUNT, and nothing else.',
  },
  {
    what: 'A column of CREATE TABLE … AS or of a view has the length of its text. If the query gives no length, the documentation says the length only for literals and CONCAT of WAREHOUSE_ONE.',
    here: 'In WAREHOUSE_ONE, a literal has the length of its text. `||` and CONCAT add lengths. CASE, COALESCE, UNION and everything else that chooses a value take the longest. These have no length: other functions, a number in `||`, an empty text alone, a text of WITH RECURSIVE, and texts that a component adds, such as the output of `map-values`. In WAREHOUSE_TWO, a literal has no length, and a column with different lengths has none.',
  },
  {
    what: 'The documentation says only in part what VALUES of WAREHOUSE_ONE accepts besides constants.',
    here: 'In VALUES, a function of semi-structured data or of XML is an error, and so is a cast to VARIANT, ARRAY or OBJECT: use INSERT … SELECT instead. Other expressions run, even some that the warehouse may refuse, such as a subquery.',
  },
  {
    what: 'In WAREHOUSE_TWO, a column of VARCHAR or TEXT without a length has 256 bytes.',
    here: 'The same is true in CREATE TABLE. If ALTER TABLE … ADD COLUMN or the component create-table adds a column without a length, the column has no limit.',
  },
  {
    what: 'A failed CREATE OR REPLACE may leave no table.',
    here: 'The old table stays.',
  },
  {
    what: 'A DATE, a TIMESTAMP or a FLOAT in semi-structured data keeps its type, in TYPEOF and as text.',
    here: 'A date, a time or a timestamp becomes the text that it has in the warehouse. TYPEOF of such a text is refused. A timestamp with a part of a millisecond is refused, and so is a time with a part of a second. A FLOAT keeps only its value. If data may have a FLOAT, TYPEOF and the text of the data are refused, unless the data was inserted into a column that existed. Tests compare values, so this changes no comparison. TYPEOF of a number is INTEGER if its decimal places are all 0.',
  },
  {
    what: 'In WAREHOUSE_ONE, VARIANCE and VAR_SAMP of NUMBER give a NUMBER. The number of its decimal places depends on the values, and is not documented.',
    here: 'The result has 6 decimal places. A result with more decimal places is refused, and so are DISTINCT and an argument with more than 6. The function fails if the squares of the numbers or their sums have more than 38 digits. Then cast the argument to FLOAT. STDDEV gives a FLOAT, as documented.',
  },
  {
    what: 'The documentation does not say how many digits the text of a FLOAT has, and how a FLOAT halfway between two decimals is rounded.',
    here: 'A text with more than 10 digits is refused (in WAREHOUSE_TWO: 15). Rounding a FLOAT that is halfway is refused, such as 2.675 to 2 places. A FLOAT with more than 15 digits is refused as a number. In WAREHOUSE_ONE, a FLOAT that is exactly halfway is rounded away from zero.',
  },
];
