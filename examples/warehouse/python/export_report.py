"""Writes a table as a file for those who still want one. The step that runs it is skipped today."""


def export_report(session, table: str) -> str:
    target = f"reports/{table}.csv"
    session.table(table).write.csv(target, header=True, overwrite=True)
    return target
