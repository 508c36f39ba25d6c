"""A migration operation that makes a table's rows unchangeable: even raw SQL cannot rewrite history."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class FreezeRows(Operation):
    """Adds a trigger that refuses UPDATEs of the model's table; rows can only be added or go with their study.

    With `columns`, only these never change. With `once_in`, "app.Model.field", a row changes until such a field points
    to it. A model of another app is named with its label, as in "samples.Item".
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, model_name: str, *, columns: Sequence[str] = (), once_in: str = "") -> None:
        self.model_name, self.columns, self.once_in = model_name, tuple(columns), once_in

    def deconstruct(self) -> tuple[str, list[str], dict[str, object]]:
        options: dict[str, object] = {"columns": self.columns} if self.columns else {}
        return (
            type(self).__name__,
            [self.model_name],
            options | ({"once_in": self.once_in} if self.once_in else {}),
        )

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The models' state is the same with and without the trigger."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        table, pointing = self._table(app_label, to_state), self._pointing(to_state)
        vendor = schema_editor.connection.vendor
        for statement in _create(vendor, table, self._name(table), self.columns, pointing):
            schema_editor.execute(statement, params=None)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        table = self._table(app_label, from_state)
        for statement in _drop(schema_editor.connection.vendor, table, self._name(table)):
            schema_editor.execute(statement, params=None)

    def describe(self) -> str:
        return f"Refuse updates of {self.model_name}"

    def _table(self, app_label: str, state: ProjectState) -> str:
        app, _, model = self.model_name.rpartition(".")
        return str(state.apps.get_model(app or app_label, model)._meta.db_table)

    def _name(self, table: str) -> str:
        pointing = self.once_in.rpartition(".")[0].replace(".", "_").lower()
        return f"{table}_frozen{f'_by_{pointing}' if pointing else ''}"

    def _pointing(self, state: ProjectState) -> str:
        """The condition under which a row is frozen; empty if it always is."""
        if not self.once_in:
            return ""
        app, model, field = self.once_in.split(".")
        found = state.apps.get_model(app, model)._meta
        return f"EXISTS (SELECT 1 FROM {found.db_table} WHERE {found.get_field(field).column} = OLD.id)"


def _create(vendor: str, table: str, name: str, columns: Sequence[str], pointing: str) -> list[str]:
    message = f"rows of {table} never change{' once they are in use' if pointing else ''}"
    when = f"BEFORE UPDATE{_of(columns)} ON {table}"
    if vendor == "postgresql":
        refuse = f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';"
        body = f"IF {pointing} THEN {refuse} END IF; RETURN NEW;" if pointing else refuse
        return [
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$",
            f"CREATE TRIGGER {name} {when} FOR EACH ROW EXECUTE FUNCTION {name}()",
        ]
    condition = f" WHEN {pointing}" if pointing else ""
    return [f"CREATE TRIGGER {name} {when}{condition} BEGIN SELECT RAISE(ABORT, '{message}'); END"]


def _of(columns: Sequence[str]) -> str:
    return f" OF {', '.join(columns)}" if columns else ""


def _drop(vendor: str, table: str, name: str) -> list[str]:
    if vendor == "postgresql":
        return [f"DROP TRIGGER {name} ON {table}", f"DROP FUNCTION {name}()"]
    return [f"DROP TRIGGER {name}"]
