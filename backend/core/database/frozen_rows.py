"""A migration operation that makes a table's rows unchangeable: even raw SQL cannot rewrite history."""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class FreezeRows(Operation):
    """Adds a trigger that refuses every UPDATE of the model's table; rows can only be added or go with their study."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, model_name: str) -> None:
        self.model_name = model_name

    def deconstruct(self) -> tuple[str, list[str], dict[str, str]]:
        return (type(self).__name__, [self.model_name], {})

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The models' state is the same with and without the trigger."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table
        for statement in _create(schema_editor.connection.vendor, table):
            schema_editor.execute(statement, params=None)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        table = from_state.apps.get_model(app_label, self.model_name)._meta.db_table
        for statement in _drop(schema_editor.connection.vendor, table):
            schema_editor.execute(statement, params=None)

    def describe(self) -> str:
        return f"Refuse every update of {self.model_name}"


def _create(vendor: str, table: str) -> list[str]:
    message = f"rows of {table} never change"
    if vendor == "postgresql":
        return [
            f"CREATE FUNCTION {table}_frozen() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
            f"CREATE TRIGGER {table}_frozen BEFORE UPDATE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_frozen()",
        ]
    return [
        f"CREATE TRIGGER {table}_frozen BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '{message}'); END"
    ]


def _drop(vendor: str, table: str) -> list[str]:
    if vendor == "postgresql":
        return [f"DROP TRIGGER {table}_frozen ON {table}", f"DROP FUNCTION {table}_frozen()"]
    return [f"DROP TRIGGER {table}_frozen"]
