-- Which country belongs to which region. Run by hand when that changes.
create or replace table regions as
select column1 as country, column2 as region
from (values
  ('NO', 'north'), ('SE', 'north'), ('FI', 'north'),
  ('IT', 'south'), ('ES', 'south'), ('PT', 'south'),
  ('US', 'overseas'), ('JP', 'overseas')
);
