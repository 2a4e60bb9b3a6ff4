"""Fails where a staging table has fewer rows for the day than it should."""

TABLES = ("stg_orders", "stg_customers", "stg_stock")


def check_staging(session, day: str, least_rows: str) -> None:
    empty = [name for name in TABLES if session.table(name).count() < int(least_rows)]
    if empty:
        raise ValueError(f"too few rows on {day or 'yesterday'} in: {', '.join(empty)}")
